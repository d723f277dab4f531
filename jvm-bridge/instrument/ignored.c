/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/ignored.h"

#include <string.h>

#include "jvm-bridge/classfile/annotation.h"
#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/classfile/listing.h"

/* Dynamic constants may have others as arguments; the JVM itself resolves no deeper chains. */
enum { DEEPEST = 8 };

/*
 * Lambdas are looked for among all methods, for each of them: in a class with more methods, which
 * no compiler makes of what people write, they are taken for methods like others.
 */
enum { MOST_METHODS = 4096 };

static const char annotation[] = "DittoIgnore";

bool ditto_ignores_class(const struct ditto_cf *cf)
{
    return ditto_cf_has_annotation(cf, cf->attrs, annotation);
}

bool ditto_ignores_field(const struct ditto_cf *cf, const struct ditto_cf_member *field)
{
    return ditto_cf_has_annotation(cf, field->attrs, annotation) || ditto_ignores_class(cf);
}

/* The compiler calls a lambda in a method NAME lambda$NAME$7; constructors are `new`, initializers
 * `static`. */
static bool lambda_parts(struct ditto_cf_text name, struct ditto_cf_text *method, uint32_t *number)
{
    static const char prefix[] = "lambda$";
    uint32_t begin = sizeof prefix - 1, at = name.size;
    if (name.size <= begin || memcmp(name.data, prefix, begin))
        return false;
    while (at > begin && name.data[at - 1] >= '0' && name.data[at - 1] <= '9')
        at--;
    if (at == name.size || name.size - at > 9 || at <= begin || name.data[at - 1] != '$')
        return false;
    *method = (struct ditto_cf_text){name.data + begin, at - 1 - begin};
    *number = 0;
    for (uint32_t i = at; i < name.size; i++)
        *number = *number * 10 + (uint32_t)(name.data[i] - '0');
    return true;
}

bool ditto_ignores_method(const struct ditto_cf *cf, const struct ditto_cf_member *method)
{
    struct ditto_cf_text inside;
    uint32_t number;
    if (ditto_cf_has_annotation(cf, method->attrs, annotation) || ditto_ignores_class(cf))
        return true;
    if (cf->method_count > MOST_METHODS ||
        !lambda_parts(ditto_cf_utf8(cf, method->name), &inside, &number))
        return false;
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].name), inside) &&
            ditto_cf_has_annotation(cf, cf->methods[i].attrs, annotation))
            return true;
    return false;
}

bool ditto_has_ignored(const struct ditto_cf *cf)
{
    bool has = ditto_ignores_class(cf);
    for (uint32_t i = 0; i < cf->method_count && !has; i++)
        has = ditto_cf_has_annotation(cf, cf->methods[i].attrs, annotation);
    for (uint32_t i = 0; i < cf->field_count && !has; i++)
        has = ditto_cf_has_annotation(cf, cf->fields[i].attrs, annotation);
    return has;
}

/* `ignored` says of each method whether it is; NULL: none. */
static bool find_lambda(const struct ditto_cf *cf, const bool *ignored, struct ditto_cf_text name,
                        struct ditto_cf_text *method, uint32_t *number)
{
    uint32_t given, other_given;
    struct ditto_cf_text other;
    if (cf->method_count > MOST_METHODS || !lambda_parts(name, method, &given))
        return false;
    *number = 0;
    for (uint32_t i = 0; i < cf->method_count; i++)
        if ((!ignored || !ignored[i]) &&
            lambda_parts(ditto_cf_utf8(cf, cf->methods[i].name), &other, &other_given) &&
            other_given < given)
            ++*number;
    return true;
}

/* NULL if there is none. */
static const bool *list_ignored(const struct ditto_cf *cf, struct ditto_arena *arena)
{
    if (!ditto_has_ignored(cf))
        return NULL;
    bool *ignored = DITTO_NEW_ARRAY(arena, bool, cf->method_count);
    for (uint32_t i = 0; i < cf->method_count; i++)
        ignored[i] = ditto_ignores_method(cf, &cf->methods[i]);
    return ignored;
}

bool ditto_is_lambda(const struct ditto_cf *cf, struct ditto_cf_text name,
                     struct ditto_cf_text *method, uint32_t *number)
{
    struct ditto_arena arena = {0};
    if (!lambda_parts(name, method, number))
        return false;
    bool is = find_lambda(cf, list_ignored(cf, &arena), name, method, number);
    ditto_arena_free(&arena);
    return is;
}

/* -------------------------------------------------------------------- essence */

struct essence {
    const struct ditto_cf *cf;
    ditto_ignored_call_fn *ignored_call;
    void *context;
    struct ditto_buf *out;
    const bool *ignored; /* by method; NULL: none */
    bool left_out;
    struct ditto_arena arena;
};

static void put_text(struct essence *e, struct ditto_cf_text text)
{
    ditto_buf_u4(e->out, text.size);
    ditto_buf_bytes(e->out, text.data, text.size);
}

/* The name of a method of the class. */
static void put_method_name(struct essence *e, struct ditto_cf_text name)
{
    struct ditto_cf_text method;
    uint32_t number;
    if (!find_lambda(e->cf, e->ignored, name, &method, &number)) {
        put_text(e, name);
        return;
    }
    put_text(e, method);
    ditto_buf_u4(e->out, number);
}

static bool put_constant(struct essence *e, uint32_t index, int depth);

/* An entry of BootstrapMethods. */
static bool put_bootstrap(struct essence *e, uint32_t number, int depth)
{
    struct ditto_cf_attr attr;
    if (!ditto_cf_find_attr(e->cf, e->cf->attrs, "BootstrapMethods", &attr) || attr.size < 2)
        return false;
    const uint8_t *at = e->cf->bytes + attr.at + 2, *end = e->cf->bytes + attr.at + attr.size;
    for (; end - at >= 4; at += 4 + 2 * ditto_u2(at + 2)) {
        uint32_t count = ditto_u2(at + 2);
        if ((size_t)(end - at) < 4 + 2 * (size_t)count)
            return false;
        if (number-- > 0)
            continue;
        bool good = put_constant(e, ditto_u2(at), depth + 1);
        for (uint32_t i = 0; good && i < count; i++)
            good = put_constant(e, ditto_u2(at + 4 + 2 * i), depth + 1);
        return good;
    }
    return false;
}

static bool put_ref(struct essence *e, uint32_t index, uint8_t tag)
{
    struct ditto_cf_ref ref;
    if (!ditto_cf_ref(e->cf, index, &ref))
        return false;
    put_text(e, ref.owner);
    bool own = ditto_cf_same(ref.owner, ditto_cf_class_name(e->cf, e->cf->this_class));
    if (own && tag != DITTO_TAG_FIELD)
        put_method_name(e, ref.name);
    else
        put_text(e, ref.name);
    put_text(e, ref.descriptor);
    return true;
}

/* A constant by what it says, not by its number. */
static bool put_constant(struct essence *e, uint32_t index, int depth)
{
    const struct ditto_cf *cf = e->cf;
    uint8_t tag = ditto_cf_tag(cf, index);
    const uint8_t *at = tag ? cf->bytes + cf->pool[index] + 1 : NULL;
    if (!tag || depth > DEEPEST)
        return false;
    ditto_buf_u1(e->out, tag);
    switch (tag) {
    case DITTO_TAG_UTF8:
        put_text(e, ditto_cf_utf8(cf, index));
        return true;
    case DITTO_TAG_FIELD:
    case DITTO_TAG_METHOD:
    case DITTO_TAG_INTERFACE_METHOD:
        return put_ref(e, index, tag);
    case DITTO_TAG_CLASS:
    case DITTO_TAG_STRING:
    case DITTO_TAG_METHOD_TYPE:
    case DITTO_TAG_MODULE:
    case DITTO_TAG_PACKAGE:
        return put_constant(e, ditto_u2(at), depth + 1);
    case DITTO_TAG_METHOD_HANDLE:
        ditto_buf_u1(e->out, at[0]);
        return put_constant(e, ditto_u2(at + 1), depth + 1);
    case DITTO_TAG_NAME_AND_TYPE:
        return put_constant(e, ditto_u2(at), depth + 1) &&
               put_constant(e, ditto_u2(at + 2), depth + 1);
    case DITTO_TAG_DYNAMIC:
    case DITTO_TAG_INVOKE_DYNAMIC:
        return put_bootstrap(e, ditto_u2(at), depth) &&
               put_constant(e, ditto_u2(at + 2), depth + 1);
    default:
        ditto_buf_bytes(e->out, at, ditto_cf_constant_size(at - 1) - 1);
        return true;
    }
}

/* How many values a method takes, its receiver apart; false unless it returns nothing. */
static bool count_arguments(struct ditto_cf_text descriptor, uint32_t *count)
{
    uint32_t at = 1;
    for (*count = 0; at < descriptor.size && descriptor.data[at] != ')'; at++, ++*count) {
        while (at < descriptor.size && descriptor.data[at] == '[')
            at++;
        if (at < descriptor.size && descriptor.data[at] == 'L')
            while (at < descriptor.size && descriptor.data[at] != ';')
                at++;
    }
    return at + 1 < descriptor.size && descriptor.data[at + 1] == 'V';
}

/* Pushes one value and does nothing else: constants, and loads of locals. */
static bool is_simple_push(const struct essence *e, const struct ditto_insn *insn)
{
    enum { FIRST = 0x01, LAST = 0x2d };
    bool constant = insn->opcode == DITTO_OP_LDC || insn->opcode == DITTO_OP_LDC_W ||
                    insn->opcode == DITTO_OP_LDC2_W;
    return insn->opcode >= FIRST && insn->opcode <= LAST &&
           !(constant && ditto_cf_tag(e->cf, insn->operand) == DITTO_TAG_DYNAMIC);
}

/* A store to an ignored field of the class, as its initializer does. */
static bool is_ignored_store(const struct essence *e, const struct ditto_insn *insn,
                             uint32_t *pushes)
{
    const struct ditto_cf *cf = e->cf;
    struct ditto_cf_ref ref;
    if ((insn->opcode != DITTO_OP_PUTSTATIC && insn->opcode != DITTO_OP_PUTFIELD) ||
        !ditto_cf_ref(cf, insn->operand, &ref) ||
        !ditto_cf_same(ref.owner, ditto_cf_class_name(cf, cf->this_class)))
        return false;
    const struct ditto_cf_member *field = ditto_cf_own_field(cf, ref.name, ref.descriptor);
    *pushes = insn->opcode == DITTO_OP_PUTFIELD ? 2 : 1;
    return field && ditto_ignores_field(cf, field);
}

/* A call that returns nothing, and what it takes from the stack. */
static bool is_void_call(const struct essence *e, const struct ditto_insn *insn, uint32_t *pushes,
                         struct ditto_cf_ref *ref)
{
    if (insn->opcode < DITTO_OP_INVOKEVIRTUAL || insn->opcode > DITTO_OP_INVOKEINTERFACE ||
        !ditto_cf_ref(e->cf, insn->operand, ref) || !count_arguments(ref->descriptor, pushes))
        return false;
    *pushes += insn->opcode != DITTO_OP_INVOKESTATIC;
    return true;
}

static bool is_ignored_method(struct essence *e, const struct ditto_cf_ref *ref)
{
    const struct ditto_cf *cf = e->cf;
    if (!ditto_cf_same(ref->owner, ditto_cf_class_name(cf, cf->this_class)))
        return e->ignored_call && e->ignored_call(e->context, ref);
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].name), ref->name) &&
            ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].descriptor), ref->descriptor))
            return e->ignored && e->ignored[i];
    return false;
}

static void note_target(void *context, uint32_t target)
{
    bool *targets = context;
    targets[target] = true;
}

/*
 * The number that each instruction has when ignored calls are left out.  Where a jump or a handler
 * leads into the middle of a call's arguments, it stays.
 */
static uint32_t *number_kept(struct essence *e, const struct ditto_listing *listing, bool *kept)
{
    bool *targets = DITTO_NEW_ARRAY(&e->arena, bool, listing->count + 1);
    uint32_t *numbers = DITTO_NEW_ARRAY(&e->arena, uint32_t, listing->count + 1), number = 0;
    for (uint32_t i = 0; i < listing->count; i++) {
        struct ditto_insn insn = ditto_listing_insn(listing, i);
        ditto_listing_targets(listing, &insn, note_target, targets);
        kept[i] = true;
    }
    for (uint32_t i = 0; i < listing->code->handler_count; i++)
        targets[listing->index[ditto_cf_handler(listing->code, i).handler]] = true;
    for (uint32_t i = 0; i < listing->count; i++) {
        struct ditto_insn insn = ditto_listing_insn(listing, i);
        struct ditto_cf_ref ref;
        uint32_t pushes;
        bool call = is_void_call(e, &insn, &pushes, &ref);
        if ((!call && !is_ignored_store(e, &insn, &pushes)) || pushes > i)
            continue;
        bool simple = true;
        for (uint32_t k = i - pushes; k < i && simple; k++) {
            struct ditto_insn push = ditto_listing_insn(listing, k);
            simple = kept[k] && is_simple_push(e, &push) && !targets[k + 1];
        }
        /* Asked last: it may mean to look at another class. */
        simple = simple && (!call || is_ignored_method(e, &ref));
        for (uint32_t k = i - pushes; k <= i && simple; k++)
            kept[k] = false;
        e->left_out = e->left_out || simple;
    }
    for (uint32_t i = 0; i <= listing->count; i++) {
        numbers[i] = number;
        number += i < listing->count && kept[i];
    }
    return numbers;
}

static bool put_insn(struct essence *e, const struct ditto_listing *listing,
                     const struct ditto_insn *insn, const uint32_t *numbers)
{
    enum ditto_op_form form = ditto_op(insn->opcode)->form;
    /* Which of two forms the compiler takes may depend on the size of the class. */
    uint8_t opcode = insn->opcode == DITTO_OP_LDC_W    ? DITTO_OP_LDC
                     : insn->opcode == DITTO_OP_GOTO_W ? DITTO_OP_GOTO
                                                       : insn->opcode;
    ditto_buf_u1(e->out, opcode);
    switch (form) {
    case DITTO_FORM_POOL1:
    case DITTO_FORM_POOL2:
    case DITTO_FORM_INTERFACE:
        return put_constant(e, insn->operand, 0);
    case DITTO_FORM_MULTI:
        ditto_buf_u4(e->out, insn->count);
        return put_constant(e, insn->operand, 0);
    case DITTO_FORM_JUMP2:
    case DITTO_FORM_JUMP4:
        ditto_buf_u4(e->out, numbers[listing->index[insn->target]]);
        return true;
    case DITTO_FORM_TABLE:
    case DITTO_FORM_LOOKUP:
        ditto_buf_u4(e->out, numbers[listing->index[insn->operand]]);
        ditto_buf_u4(e->out, (uint32_t)insn->low);
        for (uint32_t i = 0; i < insn->count; i++) {
            if (form == DITTO_FORM_LOOKUP)
                ditto_buf_bytes(e->out, insn->cases + (size_t)8 * i, 4);
            ditto_buf_u4(e->out, numbers[listing->index[ditto_insn_case(insn, i)]]);
        }
        return true;
    default:
        ditto_buf_u4(e->out, insn->operand);
        ditto_buf_u4(e->out, (uint32_t)insn->increment);
        return true;
    }
}

static bool put_code(struct essence *e, const struct ditto_cf_code *code)
{
    struct ditto_listing listing;
    if (!ditto_listing_make(&listing, code, &e->arena, NULL))
        return false;
    bool *kept = DITTO_NEW_ARRAY(&e->arena, bool, listing.count + 1);
    const uint32_t *numbers = number_kept(e, &listing, kept);
    for (uint32_t i = 0; i < listing.count; i++) {
        struct ditto_insn insn = ditto_listing_insn(&listing, i);
        if (kept[i] && !put_insn(e, &listing, &insn, numbers))
            return false;
    }
    for (uint32_t i = 0; i < code->handler_count; i++) {
        struct ditto_cf_handler handler = ditto_cf_handler(code, i);
        uint32_t start = numbers[listing.index[handler.start]];
        uint32_t end = numbers[listing.index[handler.end]];
        if (start == end)
            continue;
        ditto_buf_u4(e->out, start);
        ditto_buf_u4(e->out, end);
        ditto_buf_u4(e->out, numbers[listing.index[handler.handler]]);
        if (handler.catch_type)
            put_text(e, ditto_cf_class_name(e->cf, handler.catch_type));
    }
    return true;
}

/* Whether a class initializer does nothing but ignored stores. */
static bool is_empty_initializer(struct essence *e, const struct ditto_cf_member *method)
{
    struct ditto_cf_code code;
    struct ditto_listing listing;
    bool present;
    if (!ditto_cf_is(ditto_cf_utf8(e->cf, method->name), "<clinit>") ||
        !ditto_cf_code(e->cf, method, &present, &code, NULL) || !present ||
        !ditto_listing_make(&listing, &code, &e->arena, NULL))
        return false;
    bool *kept = DITTO_NEW_ARRAY(&e->arena, bool, listing.count + 1);
    return number_kept(e, &listing, kept)[listing.count] == 1;
}

static bool put_member(struct essence *e, const struct ditto_cf_member *member, bool is_method)
{
    const struct ditto_cf *cf = e->cf;
    struct ditto_cf_attr constant;
    struct ditto_cf_code code;
    bool present = false;
    ditto_buf_u2(e->out, member->access);
    if (is_method)
        put_method_name(e, ditto_cf_utf8(cf, member->name));
    else
        put_text(e, ditto_cf_utf8(cf, member->name));
    put_text(e, ditto_cf_utf8(cf, member->descriptor));
    if (!is_method && ditto_cf_find_attr(cf, member->attrs, "ConstantValue", &constant))
        return constant.size == 2 && put_constant(e, ditto_u2(cf->bytes + constant.at), 0);
    if (is_method && !ditto_cf_code(cf, member, &present, &code, NULL))
        return false;
    return !present || put_code(e, &code);
}

bool ditto_class_essence(const struct ditto_cf *cf, ditto_ignored_call_fn *ignored_call,
                         void *context, struct ditto_buf *out, bool *left_out)
{
    struct essence e = {.cf = cf, .ignored_call = ignored_call, .context = context, .out = out};
    const uint8_t *interfaces = cf->bytes + cf->pool_end + 6;
    bool good = true;
    e.ignored = list_ignored(cf, &e.arena);
    ditto_buf_u2(out, cf->access);
    put_text(&e, ditto_cf_class_name(cf, cf->this_class));
    put_text(&e, ditto_cf_class_name(cf, cf->super_class));
    for (uint32_t i = 0; i < ditto_u2(interfaces); i++)
        put_text(&e, ditto_cf_class_name(cf, ditto_u2(interfaces + 2 + (size_t)2 * i)));
    for (uint32_t i = 0; good && i < cf->field_count; i++)
        good = ditto_ignores_field(cf, &cf->fields[i]) || put_member(&e, &cf->fields[i], false);
    for (uint32_t i = 0; good && i < cf->method_count; i++)
        good = (e.ignored && e.ignored[i]) || is_empty_initializer(&e, &cf->methods[i]) ||
               put_member(&e, &cf->methods[i], true);
    ditto_arena_free(&e.arena);
    *left_out = e.left_out || ditto_has_ignored(cf);
    return good;
}
