# SPDX-License-Identifier: MIT
"""The `ditto` commands. What they do, the stub does: each has its `monitor` command."""
import re

import gdb

from .connection import connection, silently


class Ditto(gdb.Command):
    """Travel in time through a recorded run.

Open one with `target ditto TRACE`. Then gdb's own commands work in both directions
(continue and reverse-continue, step and reverse-step, watch, ...). `print $_ditto_clock`
tells the clock; where `catch throw` has stopped, `print $_exception` shows what is thrown.
These commands are added:"""

    def __init__(self):
        super().__init__('ditto', gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


def look_again():
    """gdb has kept what is watched as it was when the jump began: enabling it makes gdb look."""
    kinds = (gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_WATCHPOINT, gdb.BP_READ_WATCHPOINT,
             gdb.BP_ACCESS_WATCHPOINT)
    for point in gdb.breakpoints():
        if point.type in kinds and point.enabled:
            point.enabled = False
            point.enabled = True


class DittoCommand(gdb.Command):
    """One whose errors are gdb's own, and said as gdb says them: in a sentence."""

    def invoke(self, argument, from_tty):
        try:
            self.run(argument)
        except gdb.error as error:
            raise gdb.GdbError(str(error))


class Goto(DittoCommand):
    """Go to a moment of the run, in whichever direction it lies.
Usage: ditto goto CLOCK|begin|end

At a clock, all that has a clock up to it has happened, and nothing after it. `print
$_ditto_clock` and `ditto info` tell the present one, `ditto writes` those of writes."""

    def __init__(self):
        super().__init__('ditto goto', gdb.COMMAND_RUNNING)

    def complete(self, text, word):
        return [place for place in ('begin', 'end') if place.startswith(word)]

    def run(self, argument):
        place = argument.strip()
        if place and place not in ('begin', 'end') and not place.isdigit():
            try:
                place = str(int(gdb.parse_and_eval(place)))
            except (gdb.error, ValueError) as error:
                raise gdb.GdbError('ditto: %s is no clock: %s' % (argument, error))
        connection.ask('goto ' + place)
        gdb.execute('continue')
        look_again()


FIELD = re.compile(r'^\s*(\S+)(?:\s+(\d+))?(?:\s+of\s+(.+?))?\s*$')


def field_question(argument):
    """CLASS.FIELD [N] [of EXPR] as the stub takes it: with an address for the expression."""
    match = FIELD.match(argument)
    if not match or match.group(1) == 'of':
        raise gdb.GdbError('ditto: which field? Say CLASS.FIELD, for example Account.balance')
    name, number, expression = match.groups()
    question = name
    if number:
        question += ' ' + number
    if expression:
        value = gdb.parse_and_eval(expression)
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
            if value.address is None:
                raise gdb.GdbError('ditto: %s is no object' % expression)
            value = value.address
        question += ' of 0x%x' % int(value)
    return question


def complete_member(question, text):
    """Names of classes, and of the fields or methods of the class that is there already."""
    matches = []
    try:
        lines = connection.ask(question).splitlines()
    except (gdb.error, gdb.GdbError):
        return matches
    for line in lines:
        full, *members = line.split()
        for name in {full, full.rpartition('.')[2]}:
            matches += [name + '.' + member for member in members]
    # gdb completes the last word, which begins behind the last dot.
    begin = len(text) - len(re.split(r'[.:]', text)[-1])
    return [match[begin:] for match in sorted(set(matches)) if match.startswith(text)]


class BreakWrite(DittoCommand):
    """Stop at the writes of a field.
Usage: ditto break-write CLASS.FIELD [N] [of EXPR]
       ditto break-write
       ditto break-write delete [NUMBER]

With N, `continue` and `reverse-continue` stop at the Nth write of the whole run alone,
counted from 1; without, at each. EXPR is an object: only its field is meant then.
Without arguments, lists what is waited for."""

    def __init__(self):
        super().__init__('ditto break-write', gdb.COMMAND_BREAKPOINTS)

    def complete(self, text, word):
        return complete_member('classes', text)

    def run(self, argument):
        words = argument.split()
        if words and words[0] != 'delete':
            argument = field_question(argument)
        gdb.write(connection.ask('break-write ' + argument))


class Writes(DittoCommand):
    """List every write of a field: number, clock, thread, old and new value, place.
Usage: ditto writes CLASS.FIELD [of EXPR]

It takes a replay of the whole run; Ctrl-C stops it."""

    def __init__(self):
        super().__init__('ditto writes', gdb.COMMAND_DATA)

    def complete(self, text, word):
        return complete_member('classes', text)

    def run(self, argument):
        gdb.write(connection.ask_long('writes ' + field_question(argument)))


class Freeruns(DittoCommand):
    """Show a thread's free runs, and the order constraint that ends each.
Usage: ditto freeruns [THREAD]

THREAD is gdb's number, as `info threads` shows it; without it, every thread."""

    def __init__(self):
        super().__init__('ditto freeruns', gdb.COMMAND_DATA)

    def run(self, argument):
        gdb.write(connection.ask('freeruns ' + argument))


class Waits(DittoCommand):
    """Show what each thread waits for at this moment, and on whom.
Usage: ditto waits"""

    def __init__(self):
        super().__init__('ditto waits', gdb.COMMAND_STATUS)

    def run(self, argument):
        gdb.write(connection.ask('waits'))


class Info(DittoCommand):
    """Show the trace, the present position, and how far each thread is.
Usage: ditto info"""

    def __init__(self):
        super().__init__('ditto info', gdb.COMMAND_STATUS)

    def run(self, argument):
        gdb.write(connection.ask('info'))


SOURCE_LINE = re.compile(r'^(\S+\.\w+):(\d+)$')


def source_text(path, line):
    """The line of a source file as gdb finds it, or nothing."""
    try:
        listed = silently("list '%s':%d,%d" % (path, line, line))
    except gdb.error:
        return ''
    number, _, text = listed.rstrip('\n').partition('\t')
    return '\t' + text if number == str(line) else ''


# A string or character, to be left alone, or names with dots between them.
DOTTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|(?<![\w$.>:])[^\W\d]\w*(?:\.[^\W\d]\w*)*')


def is_class(name):
    try:
        return gdb.lookup_type(name).strip_typedefs().code == gdb.TYPE_CODE_STRUCT
    except gdb.error:
        return False


def is_variable(name):
    try:
        symbol, of_this = gdb.lookup_symbol(name)
        return of_this or (symbol is not None and (symbol.is_variable or symbol.is_argument))
    except gdb.error:
        return False


def with_package(name):
    """The full name of a class, if there is one alone of that name."""
    found = [full for full in (line.split()[0] for line in connection.ask('classes').splitlines())
             if full.rpartition('.')[2] == name]
    return found[0].split('.') if len(found) == 1 else [name]


def with_colons(match):
    """The longest beginning that names a class, unless it is hidden by a variable, as in Java."""
    names = match.group().split('.')
    if len(names) == 1 or match.group()[0] in '"\'' or is_variable(names[0]):
        return match.group()
    if not is_class(names[0]):
        names[:1] = with_package(names[0])
    for count in range(len(names), 0, -1):
        if is_class('::'.join(names[:count])):
            return '.'.join(['::'.join(names[:count + 1])] + names[count + 1:])
    return match.group()


class Java(DittoCommand):
    """Execute a command of gdb, with the names of classes in it as Java has them.
Usage: ditto java COMMAND

gdb's expressions are those of C++: packages, classes and static fields have colons between
them, `print com::acme::Account::count`. `ditto java print com.acme.Account.count` is the same;
so are `ditto java ptype com.acme.Account` and `ditto java watch Account.count`."""

    def __init__(self):
        super().__init__('ditto java', gdb.COMMAND_DATA, gdb.COMPLETE_COMMAND)

    def run(self, argument):
        command, space, rest = argument.strip().partition(' ')
        if not command:
            raise gdb.GdbError('ditto: which command? For example: ditto java print Account.count')
        gdb.execute(command + space + DOTTED.sub(with_colons, rest), True)


class Jit(DittoCommand):
    """Show the machine code that HotSpot made of a method, with the Java lines beside it.
Usage: ditto jit [CLASS.METHOD]

Without a method, that of the selected frame. It is the code of the replay JVM that stands
at the present position: with Ditto's hooks in it, and only if the method has run often
enough by then to be compiled. HotSpot decides that anew in each replay, so another one may
show other code. Lines are where HotSpot has noted them: behind calls, and where it may have
to go back to the interpreter; what stands between leads to the line it is shown with.
`set disassembly-flavor` is heeded."""

    def __init__(self):
        super().__init__('ditto jit', gdb.COMMAND_DATA)

    def complete(self, text, word):
        return complete_member('classes methods', text)

    def run(self, argument):
        method = argument.strip()
        if not method:
            try:
                method = '0x%x' % gdb.selected_frame().pc()
            except gdb.error as error:
                raise gdb.GdbError('ditto: which method? Say CLASS.METHOD: %s' % error)
        if gdb.parameter('disassembly-flavor') == 'intel':
            method += ' intel'
        for line in connection.ask('jit ' + method).splitlines():
            place = SOURCE_LINE.match(line)
            if place:
                line += source_text(place.group(1), int(place.group(2)))
            gdb.write(line + '\n')


def load():
    for command in (Ditto, Goto, BreakWrite, Writes, Freeruns, Waits, Info, Java, Jit):
        command()
