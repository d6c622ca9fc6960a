/* torture.h - scenarios in which each allocation fails in turn (torture.c runs them).
 *
 * A scenario is a function that calls the library by the macros below and notes what it gets.  It runs once for each of its
 * allocations with that one refused, and once with all refused from there on until the call returns.  A call that then
 * fails must fail with ROUTABLE_ERR_MEMORY and leave its outputs untouched; it is called again, and the whole run must note the same
 * as an undisturbed one. */
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

extern volatile int torture_is_armed;  /* allocations are counted, and refused in their turn */
extern volatile long torture_seen;     /* how many were counted in this run */
extern volatile long torture_refuse;   /* which is refused; 0: none */
extern volatile int torture_forever;   /* and all that follow */
extern volatile long torture_refused;  /* how many were */
extern const void *volatile torture_caller; /* who asked for the last that was refused */
extern volatile long torture_live;     /* blocks that are allocated now */

/* --- Calls --- */

/* Where calls write; filled with a pattern before each, which a failing call leaves. */
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
/* What the next call is expected to fail with, if not ROUTABLE_OK. */
extern routable_status expected;
/* The next call may fail with what failed before, or is not to be repeated: then the run is cut, and only what was noted until
 * then is compared. */
extern int torture_may_fail, torture_is_cut;
/* In this scenario libcurl may report a refused allocation as another failure of a transfer. */
extern int torture_tolerates;

int torture_slot(const char *function);
void torture_enter(int slot);
void torture_leave(void);
void torture_prepare(void);
/* Whether the call is to be repeated. */
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
/* A call that returns something else. */
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

/* --- What is compared --- */

void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define NOTE_STR(given) do { const routable_str str_ = (given); note("%.*s;", (int)str_.len, str_.ptr ? str_.ptr : ""); } while (0)
#define NOTE_NUMBER(given) note("%lld;", (long long)(given))
/* Notes a text that a call made, and frees it. */
#define NOTE_TEXT() do { routable_string text_ = o.text; note("%.*s;", (int)text_.len, text_.ptr); DO(routable_string_free, &text_); } while (0)
#define STR(literal) ROUTABLE_STR(literal)
#define LIT(literal) (literal), sizeof(literal) - 1

/* --- Scenarios --- */

typedef struct scenario { const char *name; void (*run)(void); } scenario;
#define SCENARIO(name) static void name(void)
extern const scenario router_scenarios[], request_scenarios[], value_scenarios[], screen_scenarios[], client_scenarios[];

/* Objects that many scenarios want, made once before allocations fail. */
extern routable_router *social, *typed;
void make_typed(void);
void make_service(void);
routable_router *torture_open(const char *document);

#endif
