/* SPDX-License-Identifier: MIT */
/*
 * Tellers who move money between accounts, and lose some.
 *
 * The bug: a transfer locks the account that it takes from, but not the one it gives to ("wrong
 * lock").  Two tellers who give to the same account, or one who gives while another takes, both
 * read the old balance, and one of the two updates is lost.  Most short runs are right.
 *
 *     tellers record TRACE     runs and records; exit status 1 if money was lost
 *     tellers replay TRACE     the same run again, with the same end
 *
 * It shows how a native program uses Ditto: core/ditto.h is all it includes.  The pauses of the
 * tellers come from a clock, which differs in every run; so it is recorded, as an input.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/ditto.h"

enum { TELLERS = 3, ACCOUNTS = 8, TRANSFERS = 60, OPENING_BALANCE = 100 };

/* The kinds of input that this program has. */
enum { INPUT_CLOCK = 1 };

struct account {
    ditto_cell cell; /* Ditto's state for the account: one field and one monitor */
    pthread_mutex_t lock;
    long balance;
};

struct teller {
    struct ditto_session *session;
    struct ditto_thread *thread;
    pthread_t os_thread;
    unsigned number;
};

static struct account accounts[ACCOUNTS];

static long get_balance(struct teller *teller, struct account *account)
{
    ditto_place *place = ditto_field(teller->session, &account->cell, 1, 0);
    ditto_load_begin(teller->thread, place);
    long balance = account->balance;
    ditto_load_end(teller->thread, place);
    return balance;
}

static void set_balance(struct teller *teller, struct account *account, long balance)
{
    ditto_place *place = ditto_field(teller->session, &account->cell, 1, 0);
    ditto_store_begin(teller->thread, place);
    account->balance = balance;
    ditto_store_end(teller->thread, place);
}

static void lock_account(struct teller *teller, struct account *account)
{
    ditto_monitor *monitor = ditto_object_monitor(teller->session, &account->cell, 1);
    ditto_acquire_begin(teller->thread, monitor);
    pthread_mutex_lock(&account->lock);
    ditto_acquire_end(teller->thread, monitor);
}

static void unlock_account(struct teller *teller, struct account *account)
{
    ditto_release(teller->thread, ditto_object_monitor(teller->session, &account->cell, 1));
    pthread_mutex_unlock(&account->lock);
}

static uint64_t read_clock(struct teller *teller)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ditto_input_number(teller->thread, INPUT_CLOCK, (uint64_t)now.tv_nsec);
}

static void transfer(struct teller *teller, struct account *from, struct account *to, long amount)
{
    lock_account(teller, from);
    set_balance(teller, from, get_balance(teller, from) - amount);
    long balance = get_balance(teller, to); /* the bug: `to` is not locked */
    if (read_clock(teller) % 4 == 0)
        sched_yield(); /* now and then the teller looks up */
    set_balance(teller, to, balance + amount);
    unlock_account(teller, from);
}

static void *serve_customers(void *argument)
{
    struct teller *teller = argument;
    for (unsigned i = 0; i < TRANSFERS; i++) {
        uint64_t customer = (teller->number * TRANSFERS + i) * 2654435761u >> 7;
        unsigned from = (unsigned)(customer % ACCOUNTS);
        unsigned to = (from + 1 + (unsigned)(customer / ACCOUNTS % (ACCOUNTS - 1))) % ACCOUNTS;
        transfer(teller, &accounts[from], &accounts[to], (long)(customer % 10 + 1));
    }
    ditto_thread_end(teller->thread);
    return NULL;
}

static long run_bank(struct ditto_session *session)
{
    struct ditto_thread *self = ditto_main_thread(session);
    struct teller tellers[TELLERS];
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        accounts[i].balance = OPENING_BALANCE;
        pthread_mutex_init(&accounts[i].lock, NULL);
    }
    for (unsigned i = 0; i < TELLERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "teller-%u", i + 1);
        tellers[i] = (struct teller){
            .session = session, .thread = ditto_thread_start(self, name), .number = i};
        if (pthread_create(&tellers[i].os_thread, NULL, serve_customers, &tellers[i])) {
            perror("tellers: cannot start a thread");
            exit(2);
        }
    }
    long total = 0;
    for (unsigned i = 0; i < TELLERS; i++) {
        ditto_join_begin(self, tellers[i].thread);
        pthread_join(tellers[i].os_thread, NULL);
        ditto_join_end(self, tellers[i].thread);
        ditto_thread_release(tellers[i].thread);
    }
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        printf("%s%ld", i ? " " : "balances: ", accounts[i].balance);
        total += accounts[i].balance;
        ditto_cell_release(&accounts[i].cell);
        pthread_mutex_destroy(&accounts[i].lock);
    }
    printf("; total %ld, should be %d\n", total, ACCOUNTS * OPENING_BALANCE);
    return total;
}

int main(int argc, char **argv)
{
    struct ditto_error error;
    if (argc != 3 || (strcmp(argv[1], "record") && strcmp(argv[1], "replay"))) {
        fprintf(stderr, "usage: tellers record TRACE | tellers replay TRACE\n");
        return 2;
    }
    struct ditto_session *session = strcmp(argv[1], "record") == 0
                                        ? ditto_record(argv[2], NULL, &error)
                                        : ditto_replay(argv[2], NULL, &error);
    if (!session) {
        fprintf(stderr, "ditto: %s\n", error.text);
        return 2;
    }
    long total = run_bank(session);
    if (!ditto_close(session, &error))
        fprintf(stderr, "ditto: %s\n", error.text);
    return total == ACCOUNTS * OPENING_BALANCE ? 0 : 1;
}
