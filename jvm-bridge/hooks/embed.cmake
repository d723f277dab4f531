# SPDX-License-Identifier: MIT
# Writes the bytes of FROM as an array NAME in the C header TO.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "static const unsigned char ${NAME}[] = {\n${bytes}};\n")
