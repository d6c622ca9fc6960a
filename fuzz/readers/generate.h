/* generate.h - inputs from a grammar: what a reader accepts, and what is nearly that, in every size.
 *
 * A grammar (fuzz/grammars) is a text of rules. Each input is one expansion of its first rule, often damaged afterwards. A large
 * input has one part that is large: a list, a string, a number, or the nesting, because each of these is another attack. */
#ifndef GENERATE_H
#define GENERATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct grammar grammar;

/* Reads fuzz/grammars/common.grammar and NAME.grammar; ends the program with the place if one is wrong. */
grammar *grammar_read(const char *folder, const char *name);

/* What is large in an input. */
typedef enum growth { GROW_NOTHING, GROW_LISTS, GROW_STRINGS, GROW_NUMBERS, GROW_DEPTH, GROW_KINDS } growth;

typedef struct generator {
    uint64_t random;
    char *bytes;
    size_t count, capacity;
    size_t wanted; /* about so many bytes */
    growth growth;
    int repeats; /* a long list may repeat the items at its start */
    size_t depth, most_depth, index;
} generator;

uint64_t generate_random(generator *to);
/* A number below `bound`; 0 for 0. */
size_t generate_below(generator *to, size_t bound);

/* Replaces the bytes by an expansion of about `wanted` bytes. */
void generate_input(generator *to, const grammar *from, size_t wanted, growth growth);
/* Replaces the bytes by these. */
void generate_start(generator *to, const char *bytes, size_t count);
/* Changes, removes, adds and repeats some bytes. */
void generate_damage(generator *to);

#endif
