/* readers.h - the exported functions that read text, each as a function of one input.
 *
 * The memory and the steps of a reader must be proportional to its input, or it must refuse the input: main.c measures this. */
#ifndef READERS_H
#define READERS_H

#include "../fuzz.h"

#include "routable_bodies.h"
#include "routable_builder.h"
#include "routable_credentials.h"
#include "routable_json.h"
#include "routable_json_value.h"
#include "routable_pages.h"
#include "routable_presentation.h"
#include "routable_template.h"
#include "routable_transport.h"

typedef struct reader {
    const char *name;
    const char *grammar;
    const char *functions; /* of the headers */
    routable_status (*read)(const char *bytes, size_t count);
    int is_table; /* the size of its result grows with the product of parts of the input, up to a limit */
} reader;

extern const reader document_readers[], value_readers[], message_readers[]; /* a reader without a name ends each list */

/* Checks the error of a failed call and frees it; its offset refers to `text`, which can be NULL.  Returns the status. */
static inline routable_status reader_end(const char *what, routable_status status, routable_error **place, const routable_str *text)
{
    static unsigned turn;
    routable_error *const error = *place; /* read here, because an argument that contains the call can be evaluated after the others */
    if (!error) {
        EXPECT(status == ROUTABLE_OK, "%s: %s: expected an error object", what, routable_status_name(status));
        return status;
    }
    EXPECT(status != ROUTABLE_OK, "%s: expected no error with ok", what);
    EXPECT(status != ROUTABLE_ERR_INTERNAL, "%s: %s", what, routable_error_message(error).ptr);
    if (++turn % 8 == 0) {
        const routable_status allowed[] = { status, ROUTABLE_OK };
        fuzz_check_error(what, status, allowed, error, text);
    } else {
        EXPECT(routable_error_message(error).len && routable_error_message(error).len < 4096, "%s: expected a sentence, got %zu bytes", what,
            routable_error_message(error).len);
        routable_error_free(error);
    }
    return status;
}

/* Fields that are separated by 0xFF, as C strings that reader_fields_free frees. */
typedef struct reader_fields { char *text[4]; size_t length[4]; } reader_fields;

static inline reader_fields reader_fields_of(const char *bytes, size_t count)
{
    reader_fields fields;
    fuzz_input input = { bytes, count };
    size_t i;
    for (i = 0; i < 4; i++) {
        const routable_str field = i == 3 ? fuzz_rest(&input) : fuzz_field(&input);
        fields.text[i] = (char *)malloc(field.len + 1);
        if (field.len)
            memcpy(fields.text[i], field.ptr, field.len);
        fields.text[i][field.len] = '\0';
        fields.length[i] = field.len;
    }
    return fields;
}

static inline routable_str reader_field(const reader_fields *fields, size_t index)
{
    return routable_str_from_bytes(fields->text[index], fields->length[index]);
}

static inline void reader_fields_free(reader_fields *fields)
{
    size_t i;
    for (i = 0; i < 4; i++)
        free(fields->text[i]);
}

#endif
