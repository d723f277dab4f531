# SPDX-License-Identifier: MIT
"""How Java's strings, boxes, arrays and collections are printed.

A pointer to one of them is printed as the thing itself, since Java has no other way to name it;
`print /r` shows the pointer.
"""
import itertools

import gdb
import gdb.printing

LENGTH_OFFSET = 8  # an array's length is so many bytes before its elements
NAME_OFFSET = 8    # and the name of its class is found through the second word of an object
LONGEST = 1 << 31


def elements_of(pointer):
    """The elements of an array, lazily; nothing for null."""
    if int(pointer) == 0:
        return iter(())
    return (pointer[i] for i in range(array_length(pointer)))


def array_length(pointer):
    length = gdb.selected_inferior().read_memory(int(pointer) - LENGTH_OFFSET, 8)
    return int.from_bytes(bytes(length), 'little')


def class_name(value):
    """The class of an object: gdb may know but one of its superclasses."""
    memory = gdb.selected_inferior().read_memory(int(value.address) + NAME_OFFSET, 8)
    text = gdb.Value(int.from_bytes(bytes(memory), 'little'))
    name = text.cast(gdb.lookup_type('utf8').pointer()).string('utf-8', 'replace')
    return name or str(value.type.unqualified()).replace('::', '.')


def short_name(value):
    return class_name(value).rpartition('.')[2]


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
        return '%s(%s)' % (short_name(self.value), self.number())

    def number(self):
        return self.value['value'].format_string()


class AtomicBooleanPrinter(NumberPrinter):
    def number(self):
        return 'true' if int(self.value['value']) else 'false'


class AdderPrinter(NumberPrinter):
    """LongAdder: a number, and more of them when threads met there."""

    def number(self):
        cells = (int(cell['value']) for cell in elements_of(self.value['cells']) if int(cell))
        return int(self.value['base']) + sum(cells)


class BigIntegerPrinter(NumberPrinter):
    def number(self):
        return self.of(self.value)

    @staticmethod
    def of(value):
        number = 0
        for digit in elements_of(value['mag']):
            number = number << 32 | int(digit) & 0xffffffff
        return number * int(value['signum'])


class BigDecimalPrinter(NumberPrinter):
    INFLATED = -1 << 63

    def number(self):
        number, scale = int(self.value['intCompact']), int(self.value['scale'])
        if number == self.INFLATED:
            number = BigIntegerPrinter.of(self.value['intVal'])
        if scale <= 0:
            return '%dE+%d' % (number, -scale) if scale else str(number)
        digits = str(abs(number)).rjust(scale + 1, '0')
        return '%s%s.%s' % ('-' if number < 0 else '', digits[:-scale], digits[-scale:])


class OptionalNumberPrinter(NumberPrinter):
    def number(self):
        return self.value['value'].format_string() if self.value['isPresent'] else ''


class UuidPrinter(NumberPrinter):
    def number(self):
        high, low = (int(self.value[name]) & (1 << 64) - 1 for name in
                     ('mostSigBits', 'leastSigBits'))
        digits = '%016x%016x' % (high, low)
        return '-'.join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


class PathPrinter(NumberPrinter):
    """File: its path."""

    def number(self):
        return self.value['path'].format_string()


class BoxPrinter:
    """Optional and the like: what is in it."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return short_name(self.value)

    def children(self):
        yield 'value', self.value['value']


class EnumPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return '%s.%s' % (short_name(self.value),
                          self.value['name']['text'].string('utf-8', 'replace'))


class ThrowablePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        message = self.value['detailMessage']
        name = class_name(self.value)
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
        return '%s of size %d' % (short_name(self.value), self.size())

    def children(self):
        for number, element in enumerate(itertools.islice(self.elements(), max(self.size(), 0))):
            yield '[%d]' % number, element

    def display_hint(self):
        return 'array'


class ArrayListPrinter(ListPrinter):
    def elements(self):
        return elements_of(self.value['elementData'])


class VectorPrinter(ListPrinter):
    def size(self):
        return int(self.value['elementCount'])

    def elements(self):
        return elements_of(self.value['elementData'])


class HeapPrinter(ListPrinter):
    """PriorityQueue: the least first, and then as they lie."""

    def elements(self):
        return elements_of(self.value['queue'])


class WholeArrayPrinter(ListPrinter):
    """One whose elements are those of an array, all of them or those that are not null."""
    field = 'array'
    nulls = True

    def size(self):
        return sum(1 for _ in self.elements())

    def elements(self):
        return (element for element in elements_of(self.value[self.field])
                if self.nulls or int(element))


class ListNPrinter(WholeArrayPrinter):
    field = 'elements'


class SetNPrinter(ListNPrinter):
    nulls = False


class AsListPrinter(WholeArrayPrinter):
    field = 'a'


class FewPrinter(ListPrinter):
    """List.of and Set.of with one or two: where there is no second stands an object of no use."""

    def size(self):
        return sum(1 for _ in self.elements())

    def elements(self):
        yield self.value['e0']
        second = real(self.value['e1'])
        if second is not None and class_name(second) != 'java.lang.Object':
            yield self.value['e1']


class SingletonPrinter(ListPrinter):
    def size(self):
        return 1

    def elements(self):
        yield self.value['element']


class EmptyPrinter(ListPrinter):
    def size(self):
        return 0

    def elements(self):
        return iter(())


class RingPrinter(ListPrinter):
    """ArrayBlockingQueue: an array that is used round and round."""

    def size(self):
        return int(self.value['count'])

    def elements(self):
        items, first = self.value['items'], int(self.value['takeIndex'])
        length = array_length(items)
        for i in range(self.size()):
            yield items[(first + i) % length]


class LinkedQueuePrinter(ListPrinter):
    """Nodes one behind the other; those without an item are no elements."""
    first = 'head'

    def size(self):
        return sum(1 for _ in self.elements())

    def elements(self):
        node, before = self.value[self.first], None
        while int(node) and node != before:
            if int(node['item']):
                yield node['item']
            # A node that was taken out points to itself.
            node, before = node['next'], node


class LinkedDequePrinter(LinkedQueuePrinter):
    first = 'first'


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


class HashtablePrinter(MapPrinter):
    """Its buckets, the last first, as Java iterates it."""

    def size(self):
        return int(self.value['count'])

    def entries(self):
        for node in reversed(list(elements_of(self.value['table']))):
            while int(node):
                yield node['key'], node['value']
                node = node['next']


class PairsPrinter(MapPrinter):
    """Map.of and IdentityHashMap: an array of keys, each with its value behind it."""

    def entries(self):
        array = elements_of(self.value['table'])
        return ((key, value) for key, value in zip(array, array) if int(key))


class OnePairPrinter(MapPrinter):
    names = 'k0', 'v0'

    def size(self):
        return 1

    def entries(self):
        yield tuple(self.value[name] for name in self.names)


class SingletonMapPrinter(OnePairPrinter):
    names = 'k', 'v'


class EmptyMapPrinter(OnePairPrinter):
    def size(self):
        return 0

    def entries(self):
        return iter(())


class EnumMapPrinter(MapPrinter):
    def entries(self):
        keys, values = (elements_of(self.value[name]) for name in ('keyUniverse', 'vals'))
        return ((key, value) for key, value in zip(keys, values) if int(value))


class SkipListMapPrinter(MapPrinter):
    """The nodes of the lowest level; one without a value is none any more."""

    def size(self):
        return sum(1 for _ in self.entries())

    def entries(self):
        index = self.value['head']
        node = index['node'] if int(index) else index
        while int(node):
            if int(node['key']) and int(node['val']):
                yield node['key'], node['val']
            node = node['next']


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


class WrapperPrinter(ListPrinter):
    """What Collections puts around another collection, and says nothing of itself."""
    field = 'c'

    def behind(self):
        behind = real(self.value[self.field])
        printer = behind is not None and find_printer(behind)
        return printer if isinstance(printer, ListPrinter) else EmptyPrinter(self.value)

    def size(self):
        return self.behind().size()

    def elements(self):
        return self.behind().elements()


class CopyOnWriteSetPrinter(WrapperPrinter):
    field = 'al'


class MapWrapperPrinter(WrapperPrinter, MapPrinter):
    field = 'm'

    def behind(self):
        printer = super().behind()
        return printer if isinstance(printer, MapPrinter) else EmptyMapPrinter(self.value)

    def entries(self):
        return self.behind().entries()


class PropertiesPrinter(MapWrapperPrinter):
    field = 'map'


class LambdaPrinter:
    """An object without fields that gdb knows, but with a name that tells where it comes from."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return 'lambda of ' + class_name(self.value).partition('$$Lambda')[0]


def object_printer(value):
    return LambdaPrinter(value) if '$$Lambda' in class_name(value) else None


PRINTERS = {
    'java::lang::String': StringPrinter,
    'java::lang::AbstractStringBuilder': BuilderPrinter,
    'java::lang::Enum': EnumPrinter,
    'java::lang::Throwable': ThrowablePrinter,
    'java::io::File': PathPrinter,
    'java::math::BigDecimal': BigDecimalPrinter,
    'java::math::BigInteger': BigIntegerPrinter,
    'java::util::ArrayList': ArrayListPrinter,
    'java::util::Vector': VectorPrinter,
    'java::util::PriorityQueue': HeapPrinter,
    'java::util::Arrays$ArrayList': AsListPrinter,
    'java::util::ImmutableCollections$List12': FewPrinter,
    'java::util::ImmutableCollections$ListN': ListNPrinter,
    'java::util::ImmutableCollections$Set12': FewPrinter,
    'java::util::ImmutableCollections$SetN': SetNPrinter,
    'java::util::ImmutableCollections$Map1': OnePairPrinter,
    'java::util::ImmutableCollections$MapN': PairsPrinter,
    'java::util::Collections$CheckedCollection': WrapperPrinter,
    'java::util::Collections$EmptyList': EmptyPrinter,
    'java::util::Collections$EmptyMap': EmptyMapPrinter,
    'java::util::Collections$EmptySet': EmptyPrinter,
    'java::util::Collections$SetFromMap': TreeSetPrinter,
    'java::util::Collections$SingletonList': SingletonPrinter,
    'java::util::Collections$SingletonMap': SingletonMapPrinter,
    'java::util::Collections$SingletonSet': SingletonPrinter,
    'java::util::Collections$SynchronizedCollection': WrapperPrinter,
    'java::util::Collections$SynchronizedMap': MapWrapperPrinter,
    'java::util::Collections$UnmodifiableCollection': WrapperPrinter,
    'java::util::Collections$UnmodifiableMap': MapWrapperPrinter,
    'java::util::EnumMap': EnumMapPrinter,
    'java::util::Hashtable': HashtablePrinter,
    'java::util::IdentityHashMap': PairsPrinter,
    'java::util::Properties': PropertiesPrinter,
    'java::util::UUID': UuidPrinter,
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
    'java::util::concurrent::ConcurrentLinkedDeque': LinkedQueuePrinter,
    'java::util::concurrent::ConcurrentLinkedQueue': LinkedQueuePrinter,
    'java::util::concurrent::ConcurrentSkipListMap': SkipListMapPrinter,
    'java::util::concurrent::ConcurrentSkipListSet': TreeSetPrinter,
    'java::util::concurrent::CopyOnWriteArrayList': WholeArrayPrinter,
    'java::util::concurrent::CopyOnWriteArraySet': CopyOnWriteSetPrinter,
    'java::util::concurrent::ArrayBlockingQueue': RingPrinter,
    'java::util::concurrent::LinkedBlockingDeque': LinkedDequePrinter,
    'java::util::concurrent::LinkedBlockingQueue': LinkedQueuePrinter,
    'java::util::concurrent::PriorityBlockingQueue': HeapPrinter,
    'java::util::concurrent::atomic::AtomicBoolean': AtomicBooleanPrinter,
    'java::util::concurrent::atomic::AtomicIntegerArray': WholeArrayPrinter,
    'java::util::concurrent::atomic::AtomicLongArray': WholeArrayPrinter,
    'java::util::concurrent::atomic::AtomicReferenceArray': WholeArrayPrinter,
    'java::util::concurrent::atomic::LongAdder': AdderPrinter,
}
for box in ('Int', 'Long', 'Double'):
    PRINTERS['java::util::Optional' + box] = OptionalNumberPrinter
for box in ('Integer', 'Long', 'Short', 'Byte', 'Double', 'Float', 'Character', 'Boolean'):
    PRINTERS['java::lang::' + box] = NumberPrinter
for box in ('AtomicInteger', 'AtomicLong'):
    PRINTERS['java::util::concurrent::atomic::' + box] = NumberPrinter
for kind in ('boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'object'):
    PRINTERS[kind + '_array'] = ArrayObjectPrinter


def printer_of_class(kind):
    """The printer of a class, or of the nearest of its superclasses that has one."""
    if str(kind.unqualified()) == 'java::lang::Object':
        return object_printer
    while kind.code == gdb.TYPE_CODE_STRUCT:
        name = str(kind.unqualified())
        if name in PRINTERS:
            return PRINTERS[name]
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
