#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Archives for archive_test.c, and small ones for tests/fuzz/archives.  make_archives.py DIRECTORY [small]"""
import os
import struct
import sys
import warnings
import zipfile

warnings.simplefilter('ignore')  # zipfile does not like names that come twice
where = sys.argv[1]
small = sys.argv[2:] == ['small']


def make(name, entries, comment=b'', method=zipfile.ZIP_DEFLATED):
    path = os.path.join(where, name)
    with zipfile.ZipFile(path, 'w', method) as archive:
        archive.comment = comment
        for entry, text in entries:
            archive.writestr(zipfile.ZipInfo(entry), text, method)
    return path


def change(path, name, change_bytes):
    """A copy of the archive with other bytes."""
    with open(path, 'rb') as old, open(os.path.join(where, name), 'wb') as new:
        new.write(bytes(change_bytes(bytearray(old.read()))))


def with_zip64_record(data):
    """The directory's place is in the zip64 record alone, as of an archive that is too large without."""
    end = data.rindex(b'PK\5\6')
    count, size, offset = struct.unpack_from('<HII', data, end + 10)
    record = struct.pack('<4sQHHIIQQQQ', b'PK\6\6', 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack('<4sIQI', b'PK\6\7', 0, end, 1)
    last = struct.pack('<4sHHHHIIH', b'PK\5\6', 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
    return data[:end] + record + locator + last


def with_other_data(data):
    """The packed bytes of the first entry are no longer what was packed."""
    at = 30 + sum(struct.unpack_from('<HH', data, 26))
    data[at:at + 8] = b'\xff' * 8
    return data


def with_large_size(data):
    """The first entry claims to be of 2 GB."""
    at = data.index(b'PK\1\2')
    struct.pack_into('<I', data, at + 24, 0x7fffffff)
    return data


entries = [('com/acme/A.class', 'a' * 1000), ('com/acme/B.class', 'b'), ('Empty.class', ''),
           ('com/acme/Größe.class', 'c')]
packed = make('packed.jar', entries)
make('stored.jar', entries, method=zipfile.ZIP_STORED)
make('comment.jar', entries, comment=b'PK\5\6 is how it begins')
make('twice.jar', [('A.class', 'old'), ('B.class', 'b'), ('A.class', 'older'), ('A.class', 'new')])
make('none.jar', [])
change(packed, 'zip64.jar', with_zip64_record)
change(packed, 'data.jar', with_other_data)
change(packed, 'large.jar', with_large_size)
change(packed, 'cut.jar', lambda data: data[:len(data) // 2])
change(packed, 'directory.jar', lambda data: data.replace(b'PK\1\2', b'PK\1\3'))
change(packed, 'text.jar', lambda data: b'no archive at all')
if not small:
    make('many.jar', [('com/acme/C%d.class' % i, str(i)) for i in range(70000)])
