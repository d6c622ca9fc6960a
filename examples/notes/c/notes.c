/* notes.c - see notes.h. */
#include "notes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static notes_complaint told(routable_status status, routable_error *error)
{
    notes_complaint complaint = NOTES_OTHER;
    const int32_t http_status = error ? routable_error_http_status(error) : 0;
    if (status == ROUTABLE_OK || status == ROUTABLE_IDLE)
        complaint = NOTES_OK;
    else if (status == ROUTABLE_ERR_TRANSFER || status == ROUTABLE_ERR_TLS)
        complaint = NOTES_OFFLINE;
    else if (status == ROUTABLE_ERR_TIMEOUT)
        complaint = NOTES_TOO_SLOW;
    else if (http_status == 401 || http_status == 403)
        complaint = NOTES_SIGN_IN;
    else if (http_status == 404 || http_status == 410)
        complaint = NOTES_GONE;
    else if (http_status == 412)
        complaint = NOTES_CHANGED;
    else if (http_status == 429)
        complaint = NOTES_BUSY;
    routable_error_free(error);
    return complaint;
}

/* Performs the request of an operation, with a text as its body and an ETag that must be current, unless they are NULL. */
static notes_complaint perform(
    const notes *it, const char *operation, const char *id, const char *text, const char *version, routable_response **out)
{
    routable_call call = ROUTABLE_CALL_INIT;
    routable_argument ids = ROUTABLE_ARGUMENT_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_status status;
    char *body = NULL;
    call.route = "note";
    call.operation = operation;
    if (id) {
        ids.value = routable_value_string(id);
        call.ids = &ids;
        call.id_count = 1;
    }
    if (text) {
        json_t *const object = json_pack("{s:s}", "text", text);
        body = json_dumps(object, JSON_COMPACT);
        json_decref(object);
        if (!body)
            return NOTES_OTHER; /* not UTF-8 */
        call.body = routable_value_json(body);
    }
    status = routable_request_new(it->api, &call, &request, &error);
    free(body);
    if (status == ROUTABLE_OK && version)
        status = routable_request_if_match(request, routable_str_from(version), ROUTABLE_STR(""), &error);
    if (status == ROUTABLE_OK)
        status = routable_client_perform(it->client, request, out, &error);
    routable_request_free(request);
    return told(status, error);
}

/* Copies the text of the note in a response, which is freed. */
static notes_complaint take_text(routable_response *response, char *text, size_t capacity)
{
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    notes_complaint complaint = NOTES_OTHER;
    if (routable_response_check(response, &error) != ROUTABLE_OK) /* the response deviates from the description: this is no note */
        complaint = told(routable_error_status(error), error);
    else {
        complaint = told(routable_response_json_value(response, &json, &error), error);
        if (complaint == NOTES_OK) {
            const routable_str found = routable_json_string(json, routable_json_at(json, ROUTABLE_STR("/text")));
            snprintf(text, capacity, "%.*s", (int)found.len, found.ptr);
        }
        routable_json_values_free(json);
    }
    routable_response_free(response);
    return complaint;
}

notes_complaint notes_read(const notes *it, const char *id, char *text, size_t capacity)
{
    routable_response *response = NULL;
    const notes_complaint complaint = perform(it, "read", id, NULL, NULL, &response);
    return complaint == NOTES_OK ? take_text(response, text, capacity) : complaint;
}

notes_complaint notes_add(const notes *it, const char *text, char *made, size_t capacity)
{
    routable_link link = ROUTABLE_LINK_INIT;
    routable_response *created = NULL, *response = NULL;
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_status status;
    notes_complaint complaint;
    if (!*text)
        return NOTES_EMPTY_TEXT;
    complaint = perform(it, "create", NULL, text, NULL, &created);
    if (complaint != NOTES_OK)
        return complaint;
    link.response = created; /* its Location */
    status = routable_router_follow(it->api, &link, &request, &error);
    if (status == ROUTABLE_OK)
        status = routable_client_perform(it->client, request, &response, &error);
    routable_request_free(request);
    routable_response_free(created);
    complaint = told(status, error);
    return complaint == NOTES_OK ? take_text(response, made, capacity) : complaint;
}

notes_complaint notes_edit(const notes *it, const char *id, const char *text, const char *version)
{
    return *text ? perform(it, "update", id, text, version, NULL) : NOTES_EMPTY_TEXT;
}

notes_complaint notes_remove(const notes *it, const char *id)
{
    const notes_complaint complaint = perform(it, "delete", id, NULL, NULL, NULL);
    return complaint == NOTES_GONE ? NOTES_OK : complaint;
}

notes_complaint notes_count(const notes *it, size_t *count)
{
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_pages *pages = NULL;
    routable_error *error = NULL;
    routable_status status;
    size_t on_page = 0, all = 0;
    call.route = "note";
    call.operation = "list";
    status = routable_request_new(it->api, &call, &request, &error);
    if (status == ROUTABLE_OK)
        status = routable_pages_new(it->client, request, NULL, &pages, &error);
    while (status == ROUTABLE_OK && (status = routable_pages_next(pages, NULL, NULL, &error)) == ROUTABLE_OK &&
        (status = routable_pages_item_count(pages, &on_page, &error)) == ROUTABLE_OK)
        all += on_page;
    routable_pages_free(pages);
    routable_request_free(request);
    if (status == ROUTABLE_IDLE)
        *count = all;
    return told(status, error);
}
