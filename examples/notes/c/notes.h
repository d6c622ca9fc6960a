/* notes.h - an application: notes of a service, which it reads, writes and searches.  test_notes.c tests it without a network. */
#ifndef NOTES_H
#define NOTES_H

#include <routable.h>

typedef struct notes {
    const routable_router *api;
    const routable_client *client; /* over the network, or over a transport of a test */
} notes;

/* What a user is told; NOTES_OK for a success. */
typedef enum notes_complaint {
    NOTES_OK, NOTES_EMPTY_TEXT, NOTES_OFFLINE, NOTES_TOO_SLOW, NOTES_SIGN_IN, NOTES_GONE, NOTES_CHANGED, NOTES_BUSY, NOTES_OTHER
} notes_complaint;

/* Reads the text of a note. */
notes_complaint notes_read(const notes *it, const char *id, char *text, size_t capacity);
/* Adds a note, and reads the text that the service made of it. */
notes_complaint notes_add(const notes *it, const char *text, char *made, size_t capacity);
/* Replaces the text of a note that nobody else has changed since `version`, an ETag. */
notes_complaint notes_edit(const notes *it, const char *id, const char *text, const char *version);
/* Removes a note; one that is not there is removed. */
notes_complaint notes_remove(const notes *it, const char *id);
/* Counts the notes of all pages. */
notes_complaint notes_count(const notes *it, size_t *count);

#endif
