/* SPDX-License-Identifier: MIT */
/* Making the program of shapes.h from the class files of a machine, and finding things in it. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_PROGRAM_H
#define DITTO_GDB_PLUGIN_PROGRAM_PROGRAM_H

#include "gdb-plugin/program/shapes.h"

/* Reads all classes of the machine, which is at its beginning.  NULL on failure. */
struct program *program_make(struct ditto_machine *machine, struct ditto_error *error);
void program_free(struct program *program);

/* The class that stands for arrays with such elements, by the first letter of their descriptor. */
const struct program_class *program_array(const struct program *program, char element);

/* NULL if there is none of that name. */
const struct program_class *program_class(const struct program *program, const char *name);
/* The class whose shape an object of the class of that name, which may be an array's, has in gdb:
 * its own or, if gdb does not know that, the nearest of its superclasses. */
const struct program_class *program_shape(struct program *program, struct ditto_machine *machine,
                                          const char *class_name);
/* By the names that a user writes: com.acme.Account, Account, Outer.Inner.  `*count` is how many
 * classes the name may mean; the first of them is returned.  A class of the JDK is meant only if
 * none of the program's has such a name. */
const struct program_class *program_class_by_user(const struct program *program, const char *name,
                                                  size_t *count);
/* Whether the class is one of those that the name may mean. */
bool program_user_means(const struct program *program, const struct program_class *class,
                        const char *name);

/* The field of that name that the class or the nearest of its superclasses has. */
const struct program_field *program_field(const struct program_class *class, const char *name,
                                          bool *is_static);

/* The machine's method as one of ours; NULL if its class is not in the program. */
const struct program_method *program_method(struct program *program,
                                            const struct ditto_method *method);
/* The other way round. */
const struct ditto_method *program_handle(struct ditto_machine *machine,
                                          const struct program_method *method);

/* The method whose text holds the address, NULL if none does; *bci is -1 at its entry. */
const struct program_method *program_method_at(const struct program *program, uint64_t address,
                                               int32_t *bci);

/* The line of a bytecode, 0 if it is not known. */
unsigned program_line(const struct program_method *method, int32_t bci);

/* The number of bytes of the instruction at `bci`; 1 if there is none. */
unsigned program_instruction_size(const struct program_method *method, int32_t bci);

/* The bytes that an element of an array takes. */
unsigned program_element_size(char type);

/* "com.acme.Account" for "com/acme/Account"; the text is `size` bytes at most. */
const char *program_dotted(const char *name, char *text, size_t size);

#endif
