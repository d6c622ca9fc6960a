/* generate.h - generates inputs from a grammar: valid and nearly valid inputs for a reader, in every size.
 *
 * A grammar (fuzz/grammars) is a text of rules. Each input is one expansion of its first rule, often damaged afterwards. A large
 * input has one large part: a list, a string, a number, or the nesting, because each of these is a different attack. */
#ifndef GENERATE_H
#define GENERATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct grammar grammar;

/* Reads fuzz/grammars/common.grammar and NAME.grammar; a syntax error ends the program with its position. */
grammar *grammar_read(const char *folder, const char *name);

/* The large part of an input. */
typedef enum growth { GROW_NOTHING, GROW_LISTS, GROW_STRINGS, GROW_NUMBERS, GROW_DEPTH, GROW_KINDS } growth;

typedef struct generator {
    uint64_t random;
    char *bytes;
    size_t count, capacity;
    size_t wanted; /* approximate number of bytes */
    growth growth;
    int repeats; /* whether a long list can repeat its first items */
    size_t depth, most_depth, index;
} generator;

uint64_t generate_random(generator *to);
/* A random number below `bound`; 0 for 0. */
size_t generate_below(generator *to, size_t bound);

/* Replaces the bytes by an expansion of about `wanted` bytes. */
void generate_input(generator *to, const grammar *from, size_t wanted, growth growth);
/* Replaces the bytes by these. */
void generate_start(generator *to, const char *bytes, size_t count);
/* Changes, removes, inserts and truncates some bytes. */
void generate_damage(generator *to);

#endif
