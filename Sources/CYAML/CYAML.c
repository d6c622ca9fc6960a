/* CYAML.c - opens libyaml and copies what the reader uses from its events. */
#include "CYAML.h"
#include "CSystemLibrary.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

CSYSTEM_LIBRARY_NOTE(
    "[{\"soname\":[\"libyaml-0.so.2\"],\"feature\":\"yaml\",\"description\":\"Reading YAML documents\","
    "\"priority\":\"recommended\"}]");

/* --- The structures of libyaml-0.so.2: the members in use --- */

struct mark {
    size_t index, line, column;
};

struct event {
    int type;
    union {
        struct { unsigned char *anchor; } alias;
        struct { unsigned char *anchor, *tag, *value; size_t length; int plain_implicit, quoted_implicit, style; } scalar;
        struct { unsigned char *anchor, *tag; int implicit, style; } collection;
    } data;
    struct mark start_mark, end_mark;
};

/* Only the beginning of yaml_parser_t is read. */
struct parser_head {
    int error;
    const char *problem;
    size_t problem_offset;
    int problem_value;
    struct mark problem_mark;
};

enum { PARSER_BYTES = 1024, MEMORY_ERROR = 1, UTF8 = 1, PLAIN = 1 };

#if defined __has_include
#if __has_include(<yaml.h>)
#include <yaml.h>
/* If the header is installed, the compiler checks these declarations against it. */
#define SAME(ours, theirs) _Static_assert(ours == theirs, "libyaml has another layout")
SAME(sizeof(struct event), sizeof(yaml_event_t));
SAME(offsetof(struct event, data.alias.anchor), offsetof(yaml_event_t, data.alias.anchor));
SAME(offsetof(struct event, data.scalar.length), offsetof(yaml_event_t, data.scalar.length));
SAME(offsetof(struct event, data.scalar.style), offsetof(yaml_event_t, data.scalar.style));
SAME(offsetof(struct event, data.collection.tag), offsetof(yaml_event_t, data.mapping_start.tag));
SAME(offsetof(struct event, start_mark), offsetof(yaml_event_t, start_mark));
SAME(offsetof(struct parser_head, problem), offsetof(yaml_parser_t, problem));
SAME(offsetof(struct parser_head, problem_mark), offsetof(yaml_parser_t, problem_mark));
SAME(MEMORY_ERROR, YAML_MEMORY_ERROR);
SAME(UTF8, YAML_UTF8_ENCODING);
SAME(PLAIN, YAML_PLAIN_SCALAR_STYLE);
SAME((int)CYAML_STREAM_START, (int)YAML_STREAM_START_EVENT);
SAME((int)CYAML_MAPPING_END, (int)YAML_MAPPING_END_EVENT);
_Static_assert(sizeof(yaml_parser_t) <= PARSER_BYTES, "libyaml has a larger parser");
#endif
#endif

/* --- Opening --- */

static struct {
    int is_open;
    int (*initialize)(void *);
    void (*set_input_string)(void *, const unsigned char *, size_t);
    void (*set_encoding)(void *, int);
    int (*parse)(void *, struct event *);
    void (*event_delete)(struct event *);
    void (*parser_delete)(void *);
} yaml;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int32_t load(const char *name, char *reason, size_t capacity)
{
    const struct csystem_symbol wanted[] = {
        { "yaml_parser_initialize", &yaml.initialize },
        { "yaml_parser_set_input_string", &yaml.set_input_string },
        { "yaml_parser_set_encoding", &yaml.set_encoding },
        { "yaml_parser_parse", &yaml.parse },
        { "yaml_event_delete", &yaml.event_delete },
        { "yaml_parser_delete", &yaml.parser_delete },
    };
    if (yaml.is_open)
        return 0;
    if (!csystem_library_open(name, wanted, sizeof wanted / sizeof *wanted, reason, capacity))
        return -1;
    yaml.is_open = 1; /* libyaml is not closed until the process ends */
    return 0;
}

int32_t cyaml_load(const char *name, char *reason, size_t capacity)
{
    int32_t result;
    pthread_mutex_lock(&loading);
    result = load(name, reason, capacity);
    pthread_mutex_unlock(&loading);
    return result;
}

/* --- Parsing --- */

struct cyaml_parser {
    union {
        struct parser_head head;
        max_align_t alignment;
        char bytes[PARSER_BYTES];
    } state;
    struct event event;
    int has_event;
};

cyaml_parser *cyaml_parser_new(const uint8_t *text, size_t length)
{
    cyaml_parser *const parser = calloc(1, sizeof *parser);
    if (!parser)
        return NULL;
    if (!yaml.initialize(&parser->state)) {
        free(parser);
        return NULL;
    }
    yaml.set_input_string(&parser->state, text ? text : (const uint8_t *)"", length);
    yaml.set_encoding(&parser->state, UTF8);
    return parser;
}

void cyaml_parser_free(cyaml_parser *parser)
{
    if (!parser)
        return;
    if (parser->has_event)
        yaml.event_delete(&parser->event);
    yaml.parser_delete(&parser->state);
    free(parser);
}

int32_t cyaml_parser_next(cyaml_parser *parser, struct cyaml_event *out)
{
    struct event *const event = &parser->event;
    if (parser->has_event)
        yaml.event_delete(event);
    memset(out, 0, sizeof *out);
    memset(event, 0, sizeof *event);
    parser->has_event = yaml.parse(&parser->state, event) == 1;
    if (!parser->has_event) {
        const struct parser_head *const head = &parser->state.head;
        if (head->error == MEMORY_ERROR)
            return 2;
        out->line = head->problem_mark.line;
        out->column = head->problem_mark.column;
        out->text = (const uint8_t *)(head->problem ? head->problem : "the text is not YAML");
        out->length = strlen((const char *)out->text);
        return 1;
    }
    out->kind = event->type;
    out->line = event->start_mark.line;
    out->column = event->start_mark.column;
    switch (event->type) {
    case CYAML_SCALAR:
        out->anchor = event->data.scalar.anchor;
        out->tag = event->data.scalar.tag;
        out->text = event->data.scalar.value;
        out->length = event->data.scalar.length;
        out->is_plain = event->data.scalar.style == PLAIN;
        break;
    case CYAML_ALIAS:
        out->anchor = event->data.alias.anchor;
        break;
    case CYAML_SEQUENCE_START:
    case CYAML_MAPPING_START:
        out->anchor = event->data.collection.anchor;
        out->tag = event->data.collection.tag;
        break;
    default: break;
    }
    return 0;
}
