/* SPDX-License-Identifier: MIT */
/*
 * The lock of places: whoever sleeps for it is woken, with and without membarrier.  A holder that
 * gives the processor away makes the others sleep; a wake-up that is lost makes this test hang.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "core/base/lightlock.h"
#include "tests/tap.h"

enum { THREADS = 8, ROUNDS = 20000 };

static struct ditto_light_lock lock;
static unsigned long counter; /* guarded by it */

static void *work(void *argument)
{
    unsigned id = *(unsigned *)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        ditto_light_lock(&lock, id + 1);
        counter++;
        if ((i + id) % 64 == 0)
            for (int yields = 0; yields < 20; yields++)
                sched_yield();
        ditto_light_unlock(&lock);
    }
    return NULL;
}

static void run(const char *how)
{
    pthread_t threads[THREADS];
    unsigned ids[THREADS];
    counter = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        ids[i] = i;
        if (pthread_create(&threads[i], NULL, work, &ids[i]))
            abort();
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    is(counter, THREADS * ROUNDS, "each of %d threads had the lock %d times, %s", THREADS, ROUNDS,
       how);
    ok(lock.held == 0 && lock.sleepers == 0, "it is free afterwards, and nobody sleeps");
}

/* Every membarrier of this process fails from now on.  False if that cannot be had here. */
static bool forbid_membarrier(void)
{
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof instructions / sizeof *instructions, instructions};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

int main(void)
{
    ditto_light_lock_prepare();
    bool fenced = ditto_light_lock_fenced;
    run(fenced ? "as this kernel has no membarrier" : "with membarrier");
    ditto_light_lock_fenced = true;
    run("with a full barrier at each release");
    ditto_light_lock_fenced = fenced;
    if (forbid_membarrier())
        run("where a barrier that was promised cannot be had");
    else
        skip(2, "filters of system calls are not to be had here");
    done_testing();
    return exit_status();
}
