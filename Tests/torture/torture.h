/* torture.h - scenarios in which each allocation fails in turn (torture.c runs them).
 *
 * A scenario is a function that calls the library with the macros below and notes the results.  It runs once for each of its
 * allocations with that allocation failing, and once with that and all later ones failing until the call returns.  A call that then
 * fails must fail with ROUTABLE_ERR_MEMORY and leave its outputs unmodified; it is repeated, and the notes of the whole run must be
 * equal to those of an undisturbed run. */
#ifndef TORTURE_H
#define TORTURE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routable.h"
#include "routable_jansson.h"

/* --- Allocations (failing.c) --- */

extern volatile int torture_is_armed;  /* allocations are counted, and can fail */
extern volatile long torture_seen;     /* number of allocations in this run */
extern volatile long torture_refuse;   /* number of the allocation that fails; 0: none */
extern volatile int torture_forever;   /* whether all later ones fail, too */
extern volatile long torture_refused;  /* number of failed allocations */
extern const void *volatile torture_caller; /* caller of the last failed allocation */
extern volatile long torture_live;     /* number of allocated blocks */

/* --- Calls --- */

/* The outputs of calls; filled with a pattern before each call, which a failing call must not change. */
typedef struct outputs {
    void *object, *other;
    routable_string text, second;
    routable_str str;
    size_t number;
    int32_t descriptor;
    routable_stream_item item;
    routable_completion completions[2];
    void *objects[4];
    char buffer[256];
} outputs;
extern outputs o;
#define OBJECT(type) ((type **)(void *)&o.object)
#define UNTOUCHED_ERROR ((routable_error *)(uintptr_t)0x5A5A5A5A5A5A5A5A)
extern routable_error *error;
extern routable_status status;
/* The expected status of the next call; by default ROUTABLE_OK. */
extern routable_status expected;
/* The next call can fail because of an earlier failure, or must not be repeated: then the run is cut, and only the notes before
 * it are compared. */
extern int torture_may_fail, torture_is_cut;

/* Before a scenario runs again: its notes have a limited size. */
void torture_forget(void);
/* In this scenario, libcurl may report a failed allocation as another failure of a transfer. */
extern int torture_tolerates;

int torture_slot(const char *function);
void torture_enter(int slot);
void torture_leave(void);
void torture_prepare(void);
/* Whether the call must be repeated. */
int torture_again(void);

#define SLOT(function) static int slot_ = -1; if (slot_ < 0) slot_ = torture_slot(#function)

/* A call that returns a status. */
#define CALL(function, ...) \
    do { \
        SLOT(function); \
        do { \
            torture_prepare(); \
            torture_enter(slot_); \
            status = function(__VA_ARGS__); \
            torture_leave(); \
        } while (torture_again()); \
    } while (0)
/* A call that returns another value. */
#define VALUE(function, ...) \
    ({ \
        SLOT(function); \
        torture_enter(slot_); \
        __auto_type value_ = function(__VA_ARGS__); \
        torture_leave(); \
        value_; \
    })
#define DO(function, ...) \
    do { \
        SLOT(function); \
        torture_enter(slot_); \
        function(__VA_ARGS__); \
        torture_leave(); \
    } while (0)

/* --- Notes, which are compared --- */

void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define NOTE_STR(given) do { const routable_str str_ = (given); note("%.*s;", (int)str_.len, str_.ptr ? str_.ptr : ""); } while (0)
#define NOTE_NUMBER(given) note("%lld;", (long long)(given))
/* Notes a string that a call made, and frees it. */
#define NOTE_TEXT() do { routable_string text_ = o.text; note("%.*s;", (int)text_.len, text_.ptr); DO(routable_string_free, &text_); } while (0)
#define STR(literal) ROUTABLE_STR(literal)
#define LIT(literal) (literal), sizeof(literal) - 1

/* --- Scenarios --- */

typedef struct scenario { const char *name; void (*run)(void); } scenario;
#define SCENARIO(name) static void name(void)
extern const scenario router_scenarios[], request_scenarios[], value_scenarios[], screen_scenarios[], client_scenarios[];

/* Objects of several scenarios, created once before allocations fail. */
extern routable_router *social, *typed;
void make_typed(void);
void make_service(void);
routable_router *torture_open(const char *document);

#endif
