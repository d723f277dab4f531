/* SPDX-License-Identifier: MIT */
/* Inputs: ditto_input() of core/ditto.h, and the end of a thread's.  Internal to core/. */
#ifndef DITTO_CORE_ENGINE_INPUTS_H
#define DITTO_CORE_ENGINE_INPUTS_H

struct ditto_thread;

/* Diverges if the trace has inputs that the thread, which has ended, did not ask for. */
void ditto_inputs_check_end(struct ditto_thread *thread);

#endif
