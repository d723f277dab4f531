/* SPDX-License-Identifier: MIT */
#include "tests/gdb/toy_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------- instructions */

static bool arithmetic(struct toy_run *run, struct toy_thread *thread, uint8_t op)
{
    struct toy_frame *frame = top(thread);
    char type = "IJFD"[(op - 0x60) & 3];
    if (op >= 0x74 && op <= 0x77) { /* neg */
        struct ditto_value value = pop(frame);
        if (type == 'D')
            value.d = -value.d;
        else if (type == 'F')
            value.f = -value.f;
        else
            value.integer = type == 'I' ? (int32_t)-value.integer : -value.integer;
        push(frame, value);
        return true;
    }
    struct ditto_value b = pop(frame), a = pop(frame);
    if (op >= 0x78) { /* shifts and bits */
        bool wide = (op - 0x78) & 1;
        uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
        unsigned by = (unsigned)b.integer & (wide ? 63 : 31);
        switch ((op - 0x78) >> 1) {
        case 0:
            x <<= by;
            break;
        case 1:
            x = (uint64_t)(a.integer >> by);
            break;
        case 2:
            x = (wide ? x : (uint32_t)x) >> by;
            break;
        case 3:
            x &= y;
            break;
        case 4:
            x |= y;
            break;
        default:
            x ^= y;
        }
        push(frame, wide ? long_value((int64_t)x) : int_value((int64_t)x));
        return true;
    }
    unsigned what = (op - 0x60u) >> 2; /* add, sub, mul, div, rem */
    if (type == 'D' || type == 'F') {
        double x = type == 'D' ? a.d : (double)a.f, y = type == 'D' ? b.d : (double)b.f;
        double z = what == 0   ? x + y
                   : what == 1 ? x - y
                   : what == 2 ? x * y
                   : what == 3 ? x / y
                               : fmod(x, y);
        struct ditto_value value = {.type = type};
        if (type == 'D')
            value.d = z;
        else
            value.f = (float)z;
        push(frame, value);
        return true;
    }
    if (what >= 3 && b.integer == 0) {
        toy_raise_new(run, thread, "java/lang/ArithmeticException");
        return false;
    }
    uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
    uint64_t z = what == 0         ? x + y
                 : what == 1       ? x - y
                 : what == 2       ? x * y
                 : b.integer == -1 ? (what == 3 ? 0 - x : 0)
                 : what == 3       ? (uint64_t)(a.integer / b.integer)
                                   : (uint64_t)(a.integer % b.integer);
    push(frame, type == 'I' ? int_value((int64_t)z) : long_value((int64_t)z));
    return true;
}

static double real_of(const struct ditto_value *value)
{
    return value->type == 'D'   ? value->d
           : value->type == 'F' ? (double)value->f
                                : (double)value->integer;
}

static void convert(struct toy_frame *frame, uint8_t op)
{
    static const char to[] = "JFDIFDIJDIJFBCS"; /* of i2l, ..., i2s */
    struct ditto_value value = pop(frame);
    char type = to[op - 0x85];
    double real = real_of(&value);
    bool from_real = value.type == 'F' || value.type == 'D';
    int64_t integer = from_real ? (int64_t)real : value.integer;
    struct ditto_value result = {.type = type};
    if (type == 'D')
        result.d = real;
    else if (type == 'F')
        result.f = (float)real;
    else if (type == 'J')
        result.integer = integer;
    else
        result = toy_loaded(toy_stored(int_value(integer), type));
    push(frame, result);
}

static bool jumps(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value b = {0}, a;
    bool two = op >= 0x9f && op <= 0xa6;
    if (two)
        b = pop(frame);
    a = pop(frame);
    int64_t x = a.type == 'L' ? (int64_t)a.object : a.integer;
    int64_t y = !two ? 0 : b.type == 'L' ? (int64_t)b.object : b.integer;
    unsigned what = op >= 0xc6 ? op - 0xc6u : two ? (op - 0x9fu) % 6 : op - 0x99u;
    switch (what) {
    case 0:
        return x == y;
    case 1:
        return x != y;
    case 2:
        return x < y;
    case 3:
        return x >= y;
    case 4:
        return x > y;
    default:
        return x <= y;
    }
}

static void load_constant(struct toy_run *run, struct toy_frame *frame, uint32_t index)
{
    const struct ditto_cf *cf = &frame->method->owner->cf;
    const uint8_t *bytes = cf->bytes + cf->pool[index] + 1;
    uint64_t wide;
    uint32_t narrow;
    struct ditto_value value = int_value(0);
    switch (ditto_cf_tag(cf, index)) {
    case DITTO_TAG_INTEGER:
        value = int_value((int32_t)ditto_u4(bytes));
        break;
    case DITTO_TAG_FLOAT:
        value.type = 'F';
        narrow = ditto_u4(bytes);
        memcpy(&value.f, &narrow, 4);
        break;
    case DITTO_TAG_LONG:
    case DITTO_TAG_DOUBLE:
        wide = (uint64_t)ditto_u4(bytes) << 32 | ditto_u4(bytes + 4);
        value.type = bytes[-1] == DITTO_TAG_LONG ? 'J' : 'D';
        memcpy(&value.integer, &wide, 8);
        break;
    case DITTO_TAG_STRING: {
        struct ditto_cf_text literal = ditto_cf_utf8(cf, ditto_u2(bytes));
        size_t i = 0;
        while (i < run->string_count && run->strings[i].text != literal.data)
            i++;
        if (i == run->string_count) {
            run->strings = realloc(run->strings, (i + 1) * sizeof *run->strings);
            run->strings[i].text = literal.data;
            run->strings[i].object = toy_new_string(run, literal.data, literal.size);
            run->string_count++;
        }
        value = object_value(run->strings[i].object);
        break;
    }
    default:
        value = object_value(0);
    }
    push(frame, value);
}

/* The array class of newarray's operand, or of an element class. */
static const char *array_class(const struct ditto_cf *cf, const struct ditto_insn *insn)
{
    static const char *const primitive[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    if (insn->opcode == DITTO_OP_NEWARRAY)
        return primitive[(insn->operand - 4) & 7];
    struct ditto_cf_text name = ditto_cf_class_name(cf, insn->operand);
    static char names[64][300];
    char wanted[300];
    snprintf(wanted, sizeof wanted, name.size && name.data[0] == '[' ? "[%.*s" : "[L%.*s;",
             (int)name.size, name.data);
    size_t i = 0;
    while (i < 63 && names[i][0] && strcmp(names[i], wanted) != 0)
        i++;
    strcpy(names[i], wanted);
    return names[i];
}

static const char *kept_name(const struct toy_run *run, struct ditto_cf_text name)
{
    static char *names[256];
    struct toy_class *class = toy_class(run->program, name);
    size_t i = 0;
    if (class)
        return class->name;
    while (i < 255 && names[i] && !ditto_cf_is(name, names[i]))
        i++;
    if (!names[i])
        names[i] = strndup(name.data, name.size);
    return names[i];
}

/* Whether the class must be initialized first; then its initializer's frame is on top. */
static bool initialize(struct toy_run *run, struct toy_thread *thread, struct toy_class *class)
{
    if (!class || toy_is_initialized(run, class))
        return false;
    if (class->super && initialize(run, thread, class->super))
        return true;
    run->initialized =
        realloc(run->initialized, (run->initialized_count + 1) * sizeof *run->initialized);
    run->initialized[run->initialized_count++] = class->name;
    for (size_t i = 0; i < class->method_count; i++) {
        if (strcmp(class->methods[i].handle.name, "<clinit>") == 0) {
            toy_push_frame(thread, &class->methods[i])->initializer = true;
            return true;
        }
    }
    return false;
}

static struct toy_class *class_needed(const struct toy_run *run, const struct toy_frame *frame,
                                      const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    const struct ditto_cf *cf = &frame->method->owner->cf;
    switch (insn->opcode) {
    case DITTO_OP_NEW:
        return toy_class(run->program, ditto_cf_class_name(cf, insn->operand));
    case DITTO_OP_GETSTATIC:
    case DITTO_OP_PUTSTATIC:
    case DITTO_OP_INVOKESTATIC:
        ditto_cf_ref(cf, insn->operand, &ref);
        return toy_class(run->program, ref.owner);
    default:
        return NULL;
    }
}

static void shuffle(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value a = pop(frame), b, c;
    bool wide = a.type == 'J' || a.type == 'D';
    switch (op) {
    case DITTO_OP_POP:
        return;
    case DITTO_OP_POP2:
        if (!wide)
            pop(frame);
        return;
    case DITTO_OP_DUP:
        push(frame, a);
        break;
    case DITTO_OP_DUP2:
        if (!wide) {
            b = pop(frame);
            push(frame, b);
            push(frame, a);
            push(frame, b);
        } else {
            push(frame, a);
        }
        break;
    case DITTO_OP_DUP_X1:
    case DITTO_OP_DUP2_X1:
        b = pop(frame);
        if (op == DITTO_OP_DUP2_X1 && !wide) {
            c = pop(frame);
            push(frame, b);
            push(frame, a);
            push(frame, c);
        } else {
            push(frame, a);
        }
        push(frame, b);
        break;
    case DITTO_OP_SWAP:
        b = pop(frame);
        push(frame, a);
        push(frame, b);
        return;
    default: /* dup_x2 and dup2_x2, of values that take one slot */
        b = pop(frame);
        c = pop(frame);
        push(frame, a);
        push(frame, c);
        push(frame, b);
    }
    push(frame, a);
}

static void compare(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value b = pop(frame), a = pop(frame);
    if (op == 0x94) {
        push(frame, int_value((a.integer > b.integer) - (a.integer < b.integer)));
        return;
    }
    double x = real_of(&a), y = real_of(&b);
    push(frame, int_value(x > y ? 1 : x == y ? 0 : x < y ? -1 : (op & 1) ? -1 : 1));
}

static void load_local(struct toy_frame *frame, const struct ditto_insn *insn)
{
    uint8_t op = insn->opcode;
    unsigned slot = op <= 0x19 ? insn->operand : (unsigned)(op - 0x1a) & 3;
    push(frame, frame->locals[slot]);
}

static void store_local(struct toy_frame *frame, const struct ditto_insn *insn)
{
    uint8_t op = insn->opcode;
    unsigned slot = op <= 0x3a ? insn->operand : (unsigned)(op - 0x3b) & 3;
    frame->locals[slot] = pop(frame);
}

static void choose_case(struct toy_frame *frame, const struct ditto_insn *insn)
{
    int32_t key = (int32_t)pop(frame).integer;
    uint32_t target = insn->operand;
    for (uint32_t i = 0; i < insn->count; i++) {
        int32_t value = insn->opcode == DITTO_OP_TABLESWITCH
                            ? insn->low + (int32_t)i
                            : (int32_t)ditto_u4(insn->cases + 8 * (size_t)i);
        if (value == key)
            target = ditto_insn_case(insn, i);
    }
    frame->bci = (int32_t)target;
}

/* What leaves bci at the next instruction by itself. */
static bool simple(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    uint8_t op = insn->opcode;
    const struct ditto_cf *cf = &frame->method->owner->cf;
    struct ditto_value value;
    if (op == 0x01)
        push(frame, object_value(0));
    else if (op >= 0x02 && op <= 0x08)
        push(frame, int_value(op - 0x03));
    else if (op == 0x09 || op == 0x0a)
        push(frame, long_value(op - 0x09));
    else if (op >= 0x0b && op <= 0x0d)
        push(frame, (struct ditto_value){.type = 'F', .f = (float)(op - 0x0b)});
    else if (op == 0x0e || op == 0x0f)
        push(frame, (struct ditto_value){.type = 'D', .d = op - 0x0e});
    else if (op == DITTO_OP_BIPUSH)
        push(frame, int_value((int8_t)insn->operand));
    else if (op == DITTO_OP_SIPUSH)
        push(frame, int_value((int16_t)insn->operand));
    else if (op >= DITTO_OP_LDC && op <= DITTO_OP_LDC2_W)
        load_constant(run, frame, insn->operand);
    else if (op >= 0x15 && op <= 0x2d)
        load_local(frame, insn);
    else if (op >= 0x36 && op <= 0x4e)
        store_local(frame, insn);
    else if (op >= DITTO_OP_POP && op <= DITTO_OP_SWAP)
        shuffle(frame, op);
    else if (op >= 0x60 && op <= 0x83)
        return arithmetic(run, thread, op);
    else if (op == DITTO_OP_IINC)
        frame->locals[insn->operand].integer =
            (int32_t)(frame->locals[insn->operand].integer + insn->increment);
    else if (op >= 0x85 && op <= 0x93)
        convert(frame, op);
    else if (op >= 0x94 && op <= 0x98)
        compare(frame, op);
    else if (op == DITTO_OP_NEW)
        push(frame, object_value(toy_new_object(
                        run, kept_name(run, ditto_cf_class_name(cf, insn->operand)), -1)));
    else if (op == DITTO_OP_NEWARRAY || op == DITTO_OP_ANEWARRAY) {
        value = pop(frame);
        push(frame, object_value(toy_new_object(run, array_class(cf, insn), value.integer)));
    } else if (op == 0xbe) { /* arraylength */
        value = pop(frame);
        push(frame, int_value(run->objects[value.object].length));
    } else if (op == 0xc1) { /* instanceof */
        struct ditto_cf_text name = ditto_cf_class_name(cf, insn->operand);
        value = pop(frame);
        push(frame,
             int_value(value.object && toy_is_a(run->program, run->objects[value.object].class_name,
                                                kept_name(run, name))));
    } else if (op == DITTO_OP_MONITORENTER)
        toy_acquire(run, (int)(thread - run->threads), pop(frame).object);
    else if (op == 0xc3)
        toy_release(run, pop(frame).object);
    else if (op != 0 && op != DITTO_OP_CHECKCAST) {
        fprintf(stderr, "toy JVM: no instruction 0x%02x\n", op);
        abort();
    }
    return true;
}

static void execute(struct toy_run *run, struct toy_thread *thread)
{
    struct toy_frame *frame = top(thread);
    struct ditto_insn insn;
    if (frame->bci < 0) {
        if (frame->locked)
            toy_acquire(run, (int)(thread - run->threads), frame->locked);
        frame->bci = 0;
        return;
    }
    if (!ditto_insn_decode(frame->method->code.code, frame->method->code.size, (uint32_t)frame->bci,
                           &insn))
        abort();
    uint8_t op = insn.opcode;
    if (initialize(run, thread, class_needed(run, frame, &insn)))
        return;
    if (op >= DITTO_OP_INVOKEVIRTUAL && op <= DITTO_OP_INVOKEINTERFACE)
        toy_invoke(run, thread, &insn);
    else if (op == DITTO_OP_INVOKEDYNAMIC)
        toy_invoke_dynamic(run, thread, &insn);
    else if (op >= DITTO_OP_IRETURN && op <= DITTO_OP_RETURN)
        toy_give_back(run, thread, op != DITTO_OP_RETURN);
    else if (op == DITTO_OP_ATHROW)
        toy_raise(run, thread, pop(frame).object);
    else if (op >= DITTO_OP_GETSTATIC && op <= DITTO_OP_PUTFIELD)
        toy_access_field(run, thread, &insn);
    else if (op >= DITTO_OP_IALOAD && op <= DITTO_OP_SALOAD)
        toy_access_element(run, thread, &insn, false);
    else if (op >= DITTO_OP_IASTORE && op <= DITTO_OP_SASTORE)
        toy_access_element(run, thread, &insn, true);
    else if (op == DITTO_OP_TABLESWITCH || op == DITTO_OP_LOOKUPSWITCH)
        choose_case(frame, &insn);
    else if (op == DITTO_OP_GOTO || op == DITTO_OP_GOTO_W)
        frame->bci = (int32_t)insn.target;
    else if ((op >= DITTO_OP_IFEQ && op <= DITTO_OP_IF_ACMPNE) || op == DITTO_OP_IFNULL ||
             op == DITTO_OP_IFNONNULL)
        frame->bci = jumps(frame, op) ? (int32_t)insn.target : frame->bci + (int32_t)insn.size;
    else if (simple(run, thread, &insn))
        top(thread)->bci += (int32_t)insn.size;
}

/* -------------------------------------------------------------------------- the turn */

static uint8_t next_op(const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    return frame->bci < 0 ? 0 : frame->method->code.code[frame->bci];
}

static bool is_event(const struct toy_thread *thread, bool *ticks)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    uint8_t op = next_op(thread);
    bool store = op == DITTO_OP_PUTFIELD || op == DITTO_OP_PUTSTATIC ||
                 (op >= DITTO_OP_IASTORE && op <= DITTO_OP_SASTORE);
    bool acquisition = op == DITTO_OP_MONITORENTER || (frame->bci < 0 && frame->locked);
    bool load = op == DITTO_OP_GETFIELD || op == DITTO_OP_GETSTATIC ||
                (op >= DITTO_OP_IALOAD && op <= DITTO_OP_SALOAD);
    *ticks = store || acquisition;
    return frame->method->owner->recorded && (store || acquisition || load);
}

/* The monitor that the thread's next step needs, 0: none. */
static uint64_t wants(const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    if (frame->bci < 0)
        return frame->locked;
    return next_op(thread) == DITTO_OP_MONITORENTER && frame->depth
               ? frame->stack[frame->depth - 1].object
               : 0;
}

/* Thread.join, seen before it is called. */
static int joins(const struct toy_run *run, const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    struct ditto_cf_ref ref;
    if (next_op(thread) != DITTO_OP_INVOKEVIRTUAL || !frame->depth)
        return -1;
    ditto_cf_ref(&frame->method->owner->cf, ditto_u2(frame->method->code.code + frame->bci + 1),
                 &ref);
    return ditto_cf_is(ref.name, "join") && ditto_cf_is(ref.descriptor, "()V")
               ? toy_thread_of(run, frame->stack[frame->depth - 1].object)
               : -1;
}

static bool is_ready(struct toy_run *run, int number)
{
    struct toy_thread *thread = &run->threads[number];
    if (thread->life == DITTO_NOT_STARTED || thread->life == DITTO_OVER)
        return false;
    uint64_t monitor = wants(thread);
    thread->joins = joins(run, thread);
    bool joined = thread->joins < 0 || run->threads[thread->joins].life == DITTO_OVER;
    bool free = !monitor || toy_can_acquire(run, number, monitor);
    thread->life = joined && free ? DITTO_ALIVE : DITTO_BLOCKED;
    thread->wanted = free ? 0 : monitor;
    return thread->life == DITTO_ALIVE;
}

int toy_next(struct toy_run *run)
{
    bool ticks;
    int count = (int)run->thread_count, turn = run->turn;
    bool ready[TOY_THREADS] = {0};
    for (int i = 0; i < count; i++)
        ready[i] = is_ready(run, i);
    if (ready[turn] &&
        !(run->turn_events >= run->program->switch_after && is_event(&run->threads[turn], &ticks)))
        return turn;
    for (int i = 1; i <= count; i++)
        if (ready[(turn + i) % count])
            return (turn + i) % count;
    return -1;
}

bool toy_next_ticks(struct toy_run *run)
{
    bool ticks;
    int next = toy_next(run);
    return next >= 0 && is_event(&run->threads[next], &ticks) && ticks;
}

bool toy_next_throws(struct toy_run *run)
{
    int next = toy_next(run);
    return next >= 0 && next_op(&run->threads[next]) == DITTO_OP_ATHROW &&
           top(&run->threads[next])->bci >= 0;
}

void toy_step(struct toy_run *run)
{
    int next = toy_next(run);
    bool ticks;
    if (next < 0)
        return;
    struct toy_thread *thread = &run->threads[next];
    if (next != run->turn) {
        run->turn = next;
        run->turn_events = 0;
    }
    bool event = is_event(thread, &ticks);
    if (event) {
        thread->events++;
        thread->step = 0;
        run->turn_events++;
        run->clock += ticks;
    } else {
        thread->step++;
    }
    run->access.happened = false;
    run->returned.type = 0;
    run->last = next;
    run->time++;
    execute(run, thread);
    /* What the JDK does is part of the step that called it. */
    while (thread->frame_count && !top(thread)->method->owner->recorded) {
        struct toy_access access = run->access;
        execute(run, thread);
        run->access = access;
    }
    toy_next(run); /* who waits for what */
}

void toy_start(struct toy_run *run, const struct toy_program *program)
{
    memset(run, 0, sizeof *run);
    run->program = program;
    run->objects = calloc(1, sizeof *run->objects);
    run->object_count = 1;
    struct toy_thread *main = &run->threads[run->thread_count++];
    main->frames = calloc(TOY_FRAMES, sizeof *main->frames);
    main->joins = -1;
    main->life = DITTO_ALIVE;
    strcpy(main->name, "main");
    uint64_t arguments = toy_new_object(run, "[Ljava/lang/String;", 0);
    struct ditto_value argument = object_value(arguments);
    toy_call(main, program->main, &argument, 1);
    initialize(run, main, program->main->owner);
}

void toy_free(struct toy_run *run)
{
    for (size_t i = 0; i < run->thread_count; i++) {
        while (run->threads[i].frame_count)
            toy_pop_frame(&run->threads[i]);
        free(run->threads[i].frames);
    }
    for (size_t i = 1; i < run->object_count; i++) {
        free(run->objects[i].fields);
        free(run->objects[i].elements);
    }
    free(run->objects);
    free(run->statics);
    free(run->initialized);
    free(run->strings);
}
