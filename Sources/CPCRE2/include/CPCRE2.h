/* PCRE2 for Swift: its names are macros over a code unit width, which Swift does not import. */
#ifndef ROUTABLE_CPCRE2_H
#define ROUTABLE_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>
#include <stdint.h>

/* Opaque to Swift. */
typedef struct routable_pcre2_code routable_pcre2_code;

/* Compiles with UTF, whole-string anchoring and, where it is present, the JIT.  NULL on failure, with
 * the PCRE2 error code and the byte offset of the fault. */
static inline routable_pcre2_code *routable_pcre2_compile(
    const uint8_t *pattern, size_t length, int32_t *error, size_t *offset)
{
    int code = 0;
    PCRE2_SIZE where = 0;
    pcre2_code *compiled = pcre2_compile(
        pattern, length, PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
        &code, &where, NULL);
    *error = code;
    *offset = where;
    if (compiled) (void)pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    return (routable_pcre2_code *)compiled;
}

static inline void routable_pcre2_free(routable_pcre2_code *code) { pcre2_code_free((pcre2_code *)code); }

/* 1: matches, 0: does not, negative: a PCRE2 error such as a limit that was reached.  The subject is
 * valid UTF-8.  The match limit bounds the interpreter and the JIT alike. */
static inline int32_t routable_pcre2_matches(
    const routable_pcre2_code *code, const uint8_t *subject, size_t length, uint32_t match_limit)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    int result = PCRE2_ERROR_NOMEMORY;
    if (data && context) {
        pcre2_set_match_limit(context, match_limit);
        pcre2_set_heap_limit(context, 16384);
        result = pcre2_match((const pcre2_code *)code, subject, length, 0, PCRE2_NO_UTF_CHECK, data, context);
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : result;
}

/* The sentence of a PCRE2 error; returns its length. */
static inline size_t routable_pcre2_message(int32_t error, uint8_t *buffer, size_t capacity)
{
    int length = pcre2_get_error_message(error, buffer, capacity);
    return length > 0 ? (size_t)length : 0;
}

#endif
