/* CYAML.h - the events of libyaml for Swift.  libyaml is opened when the first YAML document is read, and never linked: a program
 * that reads JSON does not load it.  Its header is not required: CYAML.c declares the members of its structures that are used. */
#ifndef ROUTABLE_CYAML_H
#define ROUTABLE_CYAML_H

#include <stddef.h>
#include <stdint.h>

/* The values of yaml_event_type_t that the reader distinguishes. */
enum {
    CYAML_STREAM_START = 1,
    CYAML_STREAM_END,
    CYAML_DOCUMENT_START,
    CYAML_DOCUMENT_END,
    CYAML_ALIAS,
    CYAML_SCALAR,
    CYAML_SEQUENCE_START,
    CYAML_SEQUENCE_END,
    CYAML_MAPPING_START,
    CYAML_MAPPING_END,
};

/* One event.  The pointers are valid until the next event. */
struct cyaml_event {
    int32_t kind;
    int32_t is_plain;     /* a scalar without quotes */
    size_t line, column;  /* position of the start, from 0; the column counts characters */
    const uint8_t *_Nullable anchor; /* NUL-terminated, or NULL */
    const uint8_t *_Nullable tag;    /* NUL-terminated, or NULL */
    const uint8_t *_Nullable text;
    size_t length;
};

typedef struct cyaml_parser cyaml_parser;

/* Opens libyaml once for the process.  Any thread may call.  Returns 0, or -1 with the reason in `reason`, cut to `capacity`;
 * after a failure, the next call tries again. */
int32_t cyaml_load(const char *_Nonnull name, char *_Nonnull reason, size_t capacity);

/* A parser of UTF-8 text, which must exist as long as the parser; NULL if memory cannot be allocated.  Requires a successful
 * cyaml_load. */
cyaml_parser *_Nullable cyaml_parser_new(const uint8_t *_Nullable text, size_t length);
void cyaml_parser_free(cyaml_parser *_Nullable parser);

/* The next event.  Returns 0; 1 for text that is not YAML, with the position in `event` and the reason in its `text`; 2 if
 * memory cannot be allocated. */
int32_t cyaml_parser_next(cyaml_parser *_Nonnull parser, struct cyaml_event *_Nonnull event);

#endif
