# SPDX-License-Identifier: MIT
"""How Java's strings, boxes, arrays and collections are printed.

A pointer to one of them is printed as the thing itself, since Java has no other way to name it;
`print /r` shows the pointer.
"""
import itertools

import gdb
import gdb.printing

LENGTH_OFFSET = 8  # an array's length is so many bytes before its elements
LONGEST = 1 << 31


def elements_of(pointer):
    """The elements of an array, lazily; nothing for null."""
    if int(pointer) == 0:
        return iter(())
    return (pointer[i] for i in range(array_length(pointer)))


def array_length(pointer):
    length = gdb.selected_inferior().read_memory(int(pointer) - LENGTH_OFFSET, 8)
    return int.from_bytes(bytes(length), 'little')


def real(value):
    """What a reference refers to, as what it is; None for null."""
    if int(value) == 0:
        return None
    kind = value.dynamic_type
    if kind == value.type:
        # A cast to the same type gives the same value in gdb 13, which then frees it too early.
        return value.dereference()
    return value.cast(kind).dereference()


class ArrayPrinter:
    """int[3] = {1, 2, 3}"""

    def __init__(self, value, name):
        self.value = value
        self.name = name[:-2]

    def to_string(self):
        return '%s[%d]' % (self.name, array_length(self.value))

    def children(self):
        for number, element in enumerate(elements_of(self.value)):
            yield '[%d]' % number, element

    def display_hint(self):
        return 'array'


class ArrayObjectPrinter(ArrayPrinter):
    """The same, where a variable of type Object holds it."""

    def __init__(self, value):
        kind = str(value.type.unqualified()).replace('_array', '')
        super().__init__(value['data'], ('java.lang.Object' if kind == 'object' else kind) + '[]')


class StringPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return self.value['text'].string('utf-8', 'replace')

    def display_hint(self):
        return 'string'


class BuilderPrinter:
    """StringBuilder: the first `count` characters of its bytes."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        wide = int(self.value['coder']) == 1
        count = int(self.value['count']) << wide
        if count == 0:
            return ''
        data = bytes(gdb.selected_inferior().read_memory(int(self.value['value']), count))
        return data.decode('utf-16-le' if wide else 'latin-1', 'replace')

    def display_hint(self):
        return 'string'


class NumberPrinter:
    """Integer, AtomicLong and the like.  No children: IDEs, and gdb among arguments, hide those."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return '%s(%s)' % (short_name(self.value.type), self.value['value'].format_string())


class BoxPrinter:
    """Optional and the like: what is in it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return short_name(self.value.type)

    def children(self):
        yield 'value', self.value['value']


class EnumPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return '%s.%s' % (short_name(self.value.type),
                          self.value['name']['text'].string('utf-8', 'replace'))


class ThrowablePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        message = self.value['detailMessage']
        name = str(self.value.type.unqualified()).replace('::', '.')
        if int(message) == 0:
            return name
        return '%s: %s' % (name, message['text'].string('utf-8', 'replace'))


class ListPrinter:
    """A collection; a subclass says how many there are, and which."""

    def __init__(self, value):
        self.value = value

    def size(self):
        return int(self.value['size'])

    def to_string(self):
        return '%s of size %d' % (short_name(self.value.type), self.size())

    def children(self):
        for number, element in enumerate(itertools.islice(self.elements(), max(self.size(), 0))):
            yield '[%d]' % number, element

    def display_hint(self):
        return 'array'


class ArrayListPrinter(ListPrinter):
    def elements(self):
        return elements_of(self.value['elementData'])


class CopyOnWritePrinter(ListPrinter):
    def size(self):
        array = self.value['array']
        return array_length(array) if int(array) else 0

    def elements(self):
        return elements_of(self.value['array'])


class LinkedListPrinter(ListPrinter):
    def elements(self):
        node = self.value['first']
        while int(node):
            yield node['item']
            node = node['next']


class ArrayDequePrinter(ListPrinter):
    def size(self):
        elements = self.value['elements']
        length = array_length(elements) if int(elements) else 0
        return (int(self.value['tail']) - int(self.value['head'])) % length if length else 0

    def elements(self):
        elements, head = self.value['elements'], int(self.value['head'])
        length = array_length(elements)
        for i in range(self.size()):
            yield elements[(head + i) % length]


class MapPrinter(ListPrinter):
    """Keys and values in turn, which is what gdb expects of a map."""

    def children(self):
        for number, (key, value) in enumerate(itertools.islice(self.entries(), max(self.size(), 0))):
            yield '[%d]' % (2 * number), key
            yield '[%d]' % (2 * number + 1), value

    def display_hint(self):
        return 'map'


class HashMapPrinter(MapPrinter):
    def entries(self):
        for node in elements_of(self.value['table']):
            while int(node):
                yield node['key'], node['value']
                node = node['next']


class LinkedHashMapPrinter(MapPrinter):
    """In the order of insertion, as Java iterates it."""

    def entries(self):
        node = self.value['head']
        while int(node):
            yield node['key'], node['value']
            node = node['after']


class ConcurrentHashMapPrinter(MapPrinter):
    def size(self):
        return sum(1 for _ in self.entries())

    def entries(self):
        for node in elements_of(self.value['table']):
            # Nodes with a negative hash are signposts, not entries.
            while int(node):
                if int(node['hash']) >= 0:
                    yield node['key'], node['val']
                node = node['next']


class TreeMapPrinter(MapPrinter):
    def entries(self):
        stack, node = [], self.value['root']
        while stack or int(node):
            while int(node):
                stack.append(node)
                node = node['left']
            node = stack.pop()
            yield node['key'], node['value']
            node = node['right']


class SetPrinter(ListPrinter):
    """The keys of the map behind it."""
    field = 'map'

    def printer(self):
        behind = real(self.value[self.field])
        return behind is not None and find_printer(behind)

    def size(self):
        printer = self.printer()
        return printer.size() if printer else 0

    def elements(self):
        printer = self.printer()
        return (key for key, _ in printer.entries()) if printer else iter(())


class TreeSetPrinter(SetPrinter):
    field = 'm'


def short_name(kind):
    return str(kind.unqualified()).rpartition('::')[2]


PRINTERS = {
    'java::lang::String': StringPrinter,
    'java::lang::AbstractStringBuilder': BuilderPrinter,
    'java::lang::Enum': EnumPrinter,
    'java::lang::Throwable': ThrowablePrinter,
    'java::util::ArrayList': ArrayListPrinter,
    'java::util::LinkedList': LinkedListPrinter,
    'java::util::ArrayDeque': ArrayDequePrinter,
    'java::util::HashMap': HashMapPrinter,
    'java::util::LinkedHashMap': LinkedHashMapPrinter,
    'java::util::TreeMap': TreeMapPrinter,
    'java::util::HashSet': SetPrinter,
    'java::util::TreeSet': TreeSetPrinter,
    'java::util::Optional': BoxPrinter,
    'java::util::concurrent::atomic::AtomicReference': BoxPrinter,
    'java::util::concurrent::ConcurrentHashMap': ConcurrentHashMapPrinter,
    'java::util::concurrent::CopyOnWriteArrayList': CopyOnWritePrinter,
}
for box in ('Integer', 'Long', 'Short', 'Byte', 'Double', 'Float', 'Character', 'Boolean'):
    PRINTERS['java::lang::' + box] = NumberPrinter
for box in ('AtomicInteger', 'AtomicLong', 'AtomicBoolean'):
    PRINTERS['java::util::concurrent::atomic::' + box] = NumberPrinter
for kind in ('boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'object'):
    PRINTERS[kind + '_array'] = ArrayObjectPrinter


def printer_of_class(kind):
    """The printer of a class, or of the nearest of its superclasses that has one."""
    while kind.code == gdb.TYPE_CODE_STRUCT:
        name = str(kind.unqualified())
        if name in PRINTERS:
            return PRINTERS[name]
        if name == 'java::lang::Object':
            return None
        fields = kind.fields()
        if not fields or not fields[0].is_base_class:
            return None
        kind = fields[0].type.strip_typedefs()
    return None


def find_printer(value):
    kind = value.type
    if kind.code == gdb.TYPE_CODE_TYPEDEF:
        name = (kind.name or '').replace(' ', '')
        if name.endswith('[]') and int(value):
            return ArrayPrinter(value, name.replace('::', '.'))
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        if kind.target().strip_typedefs().code != gdb.TYPE_CODE_STRUCT or int(value) == 0:
            return None
        value = real(value)
        kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_STRUCT:
        return None
    printer = printer_of_class(kind)
    return printer(value) if printer else None


class JavaPrinters(gdb.printing.PrettyPrinter):
    """Only for programs that Ditto shows: no other has java::lang::Object."""

    def __init__(self):
        super().__init__('ditto')

    def __call__(self, value):
        try:
            return find_printer(value)
        except gdb.error:
            return None  # memory that cannot be read is printed as gdb does it


def is_ours(objfile):
    return objfile.lookup_global_symbol('java::lang::Object', gdb.SYMBOL_STRUCT_DOMAIN) is not None


def on_new_objfile(event):
    if is_ours(event.new_objfile):
        gdb.printing.register_pretty_printer(event.new_objfile, JavaPrinters(), replace=True)


def load():
    gdb.events.new_objfile.connect(on_new_objfile)
