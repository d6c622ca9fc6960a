/* routable_curl.h - requests and responses on a CURL * of your own.
 *
 * Optional and header-only: these functions call the libcurl that your program is linked with, because a handle of one libcurl
 * must not be passed to another.  Compile with `pkg-config --cflags --libs routable libcurl`.
 *
 *     struct curl_slist *headers = NULL;  routable_curl_response received = ROUTABLE_CURL_RESPONSE_INIT;
 *     if (routable_curl_apply(curl, request, &headers) == CURLE_OK &&
 *         routable_curl_collect(curl, &received) == CURLE_OK && curl_easy_perform(curl) == CURLE_OK)
 *         status = routable_curl_map(curl, &received, router, "user.status", "read", &response, &error);
 *     routable_curl_response_free(&received);
 *     curl_slist_free_all(headers);
 *
 * routable_curl_apply and routable_curl_collect return CURLE_BAD_FUNCTION_ARGUMENT if an argument is NULL, CURLE_OUT_OF_MEMORY
 * if memory cannot be allocated, and otherwise the code of curl_easy_setopt.  routable_curl_map returns a routable_status:
 * ROUTABLE_ERR_ARGUMENT if a required argument is NULL, or if curl_easy_getinfo fails.  The function sets no error object if
 * `curl` or `received` is NULL, or if curl_easy_getinfo fails.  Requires libcurl 7.23 or later.  Since 0.1.0.
 */
#ifndef ROUTABLE_CURL_H
#define ROUTABLE_CURL_H

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "routable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds "Name: value" to the list ("Name;" for an empty value, as libcurl requires). */
static inline CURLcode routable_curl_add_header(struct curl_slist **list, routable_header header)
{
    const size_t length = header.name.len + header.value.len + 3;
    struct curl_slist *longer;
    char *line = (char *)malloc(length);
    if (!line)
        return CURLE_OUT_OF_MEMORY;
    memcpy(line, header.name.ptr, header.name.len);
    if (header.value.len == 0) {
        memcpy(line + header.name.len, ";", 2);
    } else {
        memcpy(line + header.name.len, ": ", 2);
        memcpy(line + header.name.len + 2, header.value.ptr, header.value.len);
        line[length - 1] = '\0';
    }
    longer = curl_slist_append(*list, line);
    free(line);
    if (!longer)
        return CURLE_OUT_OF_MEMORY;
    *list = longer;
    return CURLE_OK;
}

/* Returns whether two header names are equal, ignoring ASCII case. */
static inline int routable_curl_same_name(routable_str name, const char *other)
{
    size_t i;
    if (name.len != strlen(other))
        return 0;
    for (i = 0; i < name.len; i++) {
        const char a = name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? (char)(name.ptr[i] + 32) : name.ptr[i];
        const char b = other[i] >= 'A' && other[i] <= 'Z' ? (char)(other[i] + 32) : other[i];
        if (a != b)
            return 0;
    }
    return 1;
}

/* Sets the method, URL, headers and body of `request` on your handle.  The function also sets CURLOPT_PATH_AS_IS (libcurl 7.42
 * or later), so that libcurl sends the path unchanged, and CURLOPT_NOSIGNAL, and allows only http and https, also for
 * redirects.  Other options (timeouts, TLS, proxies, CURLOPT_FOLLOWLOCATION) are not changed.
 *
 * `*headers` receives the list that the handle uses.  Free the list with curl_slist_free_all after the transfer or a failure;
 * after a failure, the list may be NULL.  The body is not copied: do not edit or free `request` before the transfer has
 * completed.  You can use the handle again for other requests.
 *
 * A POST request uses CURLOPT_POST, so that libcurl changes the method to GET when it follows a 301, 302 or 303.  Redirects do
 * not change other methods.  The function returns CURLE_BAD_FUNCTION_ARGUMENT for a HEAD request with a body, and for a body
 * that is not in memory (routable_request_has_body). */
static inline CURLcode routable_curl_apply(CURL *curl, const routable_request *request, struct curl_slist **headers)
{
    static const char *const empty = "";
    struct curl_slist *list = NULL;
    CURLcode code = CURLE_OK;
    routable_str method, body;
    const char *custom;
    size_t i, count;
    int has_body, sends_body, has_type = 0, has_expect = 0;

    if (!curl || !request || !headers)
        return CURLE_BAD_FUNCTION_ARGUMENT;
    *headers = NULL;
    method = routable_request_method(request);
    body = routable_request_body(request);
    has_body = routable_request_has_body(request);
    if (has_body == 2)
        return CURLE_BAD_FUNCTION_ARGUMENT;

    count = routable_request_header_count(request);
    for (i = 0; i < count && code == CURLE_OK; i++) {
        const routable_header header = routable_request_header_at(request, i);
        has_type = has_type || routable_curl_same_name(header.name, "Content-Type");
        has_expect = has_expect || routable_curl_same_name(header.name, "Expect");
        code = routable_curl_add_header(&list, header);
    }
    /* Suppress the two headers that libcurl would add. */
    if (code == CURLE_OK && !has_type) {
        struct curl_slist *longer = curl_slist_append(list, "Content-Type:");
        code = longer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
        list = longer ? longer : list;
    }
    if (code == CURLE_OK && !has_expect) {
        struct curl_slist *longer = curl_slist_append(list, "Expect:");
        code = longer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
        list = longer ? longer : list;
    }
    *headers = list;

    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x072a00
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
#endif
#if LIBCURL_VERSION_NUM >= 0x075500
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_URL, routable_request_url(request).ptr);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
    if (code != CURLE_OK)
        return code;

    if (method.len == 4 && memcmp(method.ptr, "HEAD", 4) == 0) {
        if (has_body)
            return CURLE_BAD_FUNCTION_ARGUMENT;
        code = curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, (char *)NULL);
        return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    }
    /* POST, PUT and PATCH without a body send "Content-Length: 0"; other methods without a body send no Content-Length. */
    sends_body = has_body || (method.len == 4 && memcmp(method.ptr, "POST", 4) == 0) ||
                 (method.len == 3 && memcmp(method.ptr, "PUT", 3) == 0) ||
                 (method.len == 5 && memcmp(method.ptr, "PATCH", 5) == 0);
    code = curl_easy_setopt(curl, CURLOPT_NOBODY, 0L);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    if (code == CURLE_OK && sends_body) {
        code = curl_easy_setopt(curl, CURLOPT_POST, 1L);
        if (code == CURLE_OK)
            code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
        if (code == CURLE_OK)
            code = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.len ? body.ptr : empty);
    }
    custom = method.ptr;
    if ((sends_body && method.len == 4 && memcmp(method.ptr, "POST", 4) == 0) ||
        (!sends_body && method.len == 3 && memcmp(method.ptr, "GET", 3) == 0))
        custom = NULL; /* the method that libcurl derives */
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, custom);
    return code;
}

/* A collected response: the headers of the last response (after redirects) and the body.  Set `max_body_bytes` before the
 * transfer.  The transfer fails with CURLE_WRITE_ERROR if the body is larger, if the headers exceed 1 MiB, or if memory cannot be
 * allocated.  Frozen. */
typedef struct routable_curl_response {
    routable_header *headers;
    size_t header_count;
    char *body; /* body_length bytes; NULL until the first byte arrives */
    size_t body_length;
    size_t max_body_bytes; /* 0: 64 MiB */
    size_t header_bytes, header_room, body_room;
} routable_curl_response;
#define ROUTABLE_CURL_RESPONSE_INIT { NULL, 0, NULL, 0, 0, 0, 0, 0 }

/* Frees the headers and the body, and keeps `max_body_bytes`, so that the struct can be used again.  Does nothing for NULL. */
static inline void routable_curl_response_free(routable_curl_response *received)
{
    size_t i;
    if (!received)
        return;
    for (i = 0; i < received->header_count; i++)
        free((void *)received->headers[i].name.ptr); /* name and value are one allocation */
    free(received->headers);
    free(received->body);
    received->headers = NULL;
    received->body = NULL;
    received->header_count = received->header_room = received->header_bytes = 0;
    received->body_length = received->body_room = 0;
}

/* libcurl's header callback: adds one header line.  A status line begins a new response and discards the headers and the body of
 * the previous one. */
static inline size_t routable_curl_receive_header(char *line, size_t size, size_t count, void *user_data)
{
    static const size_t max_header_bytes = 1048576;
    routable_curl_response *const received = (routable_curl_response *)user_data;
    const size_t received_bytes = size * count;
    const char *colon;
    size_t length = received_bytes, name_length, value_length;
    char *copy;

    while (length && (line[length - 1] == '\r' || line[length - 1] == '\n'))
        length--;
    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        routable_curl_response_free(received);
        return received_bytes;
    }
    colon = (const char *)memchr(line, ':', length);
    if (!colon || colon == line || line[0] == ' ' || line[0] == '\t')
        return received_bytes; /* the blank line at the end, a line without a colon, or a folded line, which HTTP no longer allows */
    received->header_bytes += length;
    if (received->header_bytes > max_header_bytes)
        return 0;
    if (received->header_count == received->header_room) {
        const size_t room = received->header_room ? received->header_room * 2 : 16;
        routable_header *larger = (routable_header *)realloc(received->headers, room * sizeof *larger);
        if (!larger)
            return 0;
        received->headers = larger;
        received->header_room = room;
    }
    copy = (char *)malloc(length + 2);
    if (!copy)
        return 0;
    name_length = (size_t)(colon - line);
    colon++;
    while (colon < line + length && (*colon == ' ' || *colon == '\t'))
        colon++;
    value_length = (size_t)(line + length - colon);
    while (value_length && (colon[value_length - 1] == ' ' || colon[value_length - 1] == '\t'))
        value_length--;
    memcpy(copy, line, name_length);
    copy[name_length] = '\0';
    memcpy(copy + name_length + 1, colon, value_length);
    copy[name_length + 1 + value_length] = '\0';
    received->headers[received->header_count].name.ptr = copy;
    received->headers[received->header_count].name.len = name_length;
    received->headers[received->header_count].value.ptr = copy + name_length + 1;
    received->headers[received->header_count].value.len = value_length;
    received->header_count++;
    return received_bytes;
}

/* libcurl's write callback: appends a piece of the body. */
static inline size_t routable_curl_receive_body(char *bytes, size_t size, size_t count, void *user_data)
{
    routable_curl_response *const received = (routable_curl_response *)user_data;
    const size_t received_bytes = size * count;
    const size_t limit = received->max_body_bytes ? received->max_body_bytes : (size_t)67108864;
    if (received_bytes > limit || received->body_length > limit - received_bytes)
        return 0;
    if (received->body_room - received->body_length < received_bytes) {
        size_t room = received->body_room ? received->body_room : 4096;
        char *larger;
        while (room - received->body_length < received_bytes)
            room *= 2;
        larger = (char *)realloc(received->body, room);
        if (!larger)
            return 0;
        received->body = larger;
        received->body_room = room;
    }
    if (received_bytes)
        memcpy(received->body + received->body_length, bytes, received_bytes);
    received->body_length += received_bytes;
    return received_bytes;
}

/* Makes the handle write the headers and the body to `received`, which must be valid until the transfer has completed. */
static inline CURLcode routable_curl_collect(CURL *curl, routable_curl_response *received)
{
    CURLcode code;
    if (!curl || !received)
        return CURLE_BAD_FUNCTION_ARGUMENT;
    code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, routable_curl_receive_header);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, (void *)received);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, routable_curl_receive_body);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, (void *)received);
    return code;
}

/* Maps a collected response with routable_response_map and the HTTP status of the handle.
 * Statuses: those of routable_response_map. */
static inline routable_status routable_curl_map(
    CURL *curl, const routable_curl_response *received, const routable_router *router, const char *route,
    const char *operation, routable_response **out, routable_error **error)
{
    long http_status = 0;
    routable_str body;
    if (error)
        *error = NULL;
    if (!curl || !received || curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http_status) != CURLE_OK)
        return ROUTABLE_ERR_ARGUMENT;
    body.ptr = received->body;
    body.len = received->body_length;
    return routable_response_map(
        router, route, operation, (int32_t)http_status, received->headers, received->header_count, body, out, error);
}

#ifdef __cplusplus
}
#endif
#endif
