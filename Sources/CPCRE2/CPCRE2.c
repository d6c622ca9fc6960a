/* CPCRE2.c - compiles patterns, which uses stack for each nested group. */
#include "CPCRE2.h"

/* CSystem.h */
ptrdiff_t csystem_stack_left(void);

/* Called at the start of each group, which uses 640 bytes of stack, and 600 bytes later in the JIT.  A result other than 0 rejects
 * the pattern with an error. */
static int refuses_group(uint32_t depth, void *unused)
{
    (void)depth, (void)unused;
    return csystem_stack_left() < 8192;
}

routable_pcre2_code *routable_pcre2_compile(
    const uint8_t *pattern, size_t length, int32_t whole, int32_t *error, size_t *offset)
{
    int code = 0;
    PCRE2_SIZE where = 0;
    pcre2_code *compiled = NULL;
    pcre2_general_context *const general = pcre2_general_context_create(routable_pcre2_allocate, routable_pcre2_release, NULL);
    pcre2_compile_context *const context = general ? pcre2_compile_context_create(general) : NULL;
    if (context) {
        pcre2_set_compile_recursion_guard(context, refuses_group, NULL);
        compiled = pcre2_compile(
            pattern, length,
            PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY |
                (whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : PCRE2_MATCH_UNSET_BACKREF),
            &code, &where, context);
    } else {
        code = PCRE2_ERROR_HEAP_FAILED;
    }
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    *error = code;
    *offset = where;
    /* A repeated group is compiled for each repetition: 40 bytes can become 24 KB, and then 450 KB and 6 ms in the JIT. */
    if (compiled && routable_pcre2_size((routable_pcre2_code *)compiled) <= 1024 + 16 * length)
        (void)pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    return (routable_pcre2_code *)compiled;
}

size_t routable_pcre2_size(const routable_pcre2_code *code)
{
    size_t size = 0, more = 0;
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_SIZE, &size);
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_JITSIZE, &more);
    return size + more;
}

uint32_t routable_pcre2_options(void)
{
    return PCRE2_NO_UTF_CHECK | (csystem_stack_left() < 49152 ? PCRE2_NO_JIT : 0);
}
