/* routable_service.h: responses of a service: statuses, media types, validation, conditions, locations, files, items, and problems. */
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\","
    "\"types\":{\"Note\":{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"minLength\":1},"
    "\"stars\":{\"type\":\"integer\"}}}},"
    "\"auth\":{\"session\":{\"scheme\":\"bearer\"}},"
    "\"resources\":{"
    "\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\"],\"has\":[\"note\"]},"
    "\"note\":{\"path\":\"notes\",\"id\":{\"name\":\"number\",\"type\":\"integer\"},\"nested\":true,\"type\":\"Note\","
    "\"can\":[\"list\",\"read\",\"create\",\"update\",\"delete\"]}},"
    "\"operations\":{\"open\":{\"get\":\"/open\"},\"secret\":{\"get\":\"/secret\",\"auth\":[\"session\"]},"
    "\"one\":{\"get\":\"/one\",\"results\":{\"200\":{\"type\":\"object\",\"required\":[\"a\"]},\"404\":{\"type\":\"object\",\"required\":[\"code\"]}}}}}";

/* Several media types and statuses. */
static const char openapi[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://api.example.com/v2\"}],\"paths\":{"
    "\"/report\":{\"get\":{\"operationId\":\"report\",\"responses\":{\"200\":{\"description\":\"r\",\"content\":{"
    "\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"rows\"]}},"
    "\"application/vnd.brief+json\":{\"schema\":{\"type\":\"array\"}},\"text/csv\":{},\"image/png\":{},\"application/jsonl\":{},"
    "\"text/event-stream\":{}}}}},"
    "\"put\":{\"operationId\":\"store\",\"responses\":{\"201\":{\"description\":\"c\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\"}}}},"
    "\"204\":{\"description\":\"n\"},\"303\":{\"description\":\"s\"},\"409\":{\"description\":\"e\",\"content\":{\"application/problem+json\":{"
    "\"schema\":{\"type\":\"object\",\"required\":[\"reason\"]}}}}}}}}}";

static routable_router *api, *media;

static int open_both(void **state)
{
    routable_error *error = NULL;
    (void)state;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, &error) != ROUTABLE_OK ||
        routable_router_open(openapi, ROUTABLE_NUL_TERMINATED, NULL, &media, &error) != ROUTABLE_OK) {
        fprintf(stderr, "%s\n", message_of(error));
        routable_error_free(error);
        return 1;
    }
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    routable_router_free(api);
    routable_router_free(media);
    return 0;
}

/* A request without a body; the headers as "Name:value" lines. */
static routable_received *receive(const routable_router *router, const char *method, const char *target, const char *given)
{
    char lines[512], *line;
    routable_header headers[8];
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t count = 0;
    snprintf(lines, sizeof lines, "%s", given);
    for (line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        char *const colon = strchr(line, ':');
        headers[count].name = routable_str_from_bytes(line, (size_t)(colon - line));
        headers[count++].value = routable_str_from(colon + 1);
    }
    incoming.method = method;
    incoming.target = routable_str_from(target);
    incoming.headers = headers;
    incoming.header_count = count;
    check_status(target, routable_received_new(router, &incoming, NULL, &received, &error), ROUTABLE_OK, error);
    return received;
}

/* An answer as a string: "200\nName: value\n...\n\nbody". */
static char *text_of_answer(routable_answer *answer)
{
    static char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "%d\n", routable_answer_status(answer)), index;
    for (index = 0; index < routable_answer_header_count(answer); index++) {
        const routable_header header = routable_answer_header_at(answer, index);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s: %s\n", header.name.ptr, header.value.ptr);
    }
    snprintf(text + length, sizeof text - length, "\n%s", routable_answer_body(answer).ptr);
    return text;
}

static void check_answer(
    const char *label, const routable_received *received, int32_t http_status, routable_value value, const routable_answer_options *options,
    const char *expected)
{
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    check_status(label, routable_answer_new(received, http_status, value, options, &answer, &error), ROUTABLE_OK, error);
    check_text(label, routable_str_from(text_of_answer(answer)), expected);
    routable_answer_free(answer);
}

/* Checks the response to one request. */
static void check_response(
    const routable_router *router, const char *method, const char *target, const char *headers, int32_t http_status, routable_value value,
    const routable_answer_options *options, const char *expected)
{
    routable_received *const received = receive(router, method, target, headers);
    char label[256];
    snprintf(label, sizeof label, "%s %s [%s] %d", method, target, headers, http_status);
    check_answer(label, received, http_status, value, options, expected);
    routable_received_free(received);
}

/* Checks the status of a refused answer, and the HTTP status of the response that replaces it. */
static void check_no_answer(
    const routable_router *router, const char *method, const char *target, const char *headers, int32_t http_status, routable_value value,
    const routable_answer_options *options, routable_status expected, int32_t expected_http, const char *message)
{
    routable_received *const received = receive(router, method, target, headers);
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    const routable_status got = routable_answer_new(received, http_status, value, options, &answer, &error);
    if (got != expected || answer || routable_error_http_status(error) != expected_http || !strstr(message_of(error), message))
        fail_msg("%s %s [%s] %d\nexpected: %s, %d, \"%s\"\ngot:      %s, %d, %s", method, target, headers, http_status,
            routable_status_name(expected), expected_http, message, routable_status_name(got), routable_error_http_status(error),
            message_of(error));
    routable_error_free(error);
    routable_received_free(received);
}

static routable_value json(const char *text) { return routable_value_json(text); }
static const routable_value none = ROUTABLE_VALUE_INIT;

#define NOTE_TARGET "/v1/users/ann/notes/7"

static void statuses(void **state)
{
    (void)state;
    check_response(api, "GET", NOTE_TARGET, "", 0, json(" { \"text\" : \"hi\" } "), NULL,
        "200\nContent-Type: application/json\nContent-Length: 13\n\n{\"text\":\"hi\"}");
    check_response(api, "GET", "/v1/open", "", 202, routable_value_integer(7), NULL,
        "202\nContent-Type: application/json\nContent-Length: 1\n\n7");
    check_response(api, "GET", "/v1/users/ann/notes", "", 0, json("[]"), NULL, "200\nContent-Type: application/json\nContent-Length: 2\n\n[]");
    check_response(api, "DELETE", NOTE_TARGET, "", 0, none, NULL, "204\n\n");
    check_response(api, "GET", "/v1/open", "", 205, none, NULL, "205\nContent-Length: 0\n\n");
    /* The first declared success; without a body, the first without a type. */
    check_response(media, "PUT", "/v2/report", "", 0, json("{}"), NULL, "201\nContent-Type: application/json\nContent-Length: 2\n\n{}");
    check_response(media, "PUT", "/v2/report", "", 0, none, NULL, "204\n\n");
    check_response(media, "PUT", "/v2/report", "", 303, none, NULL, "303\nContent-Length: 0\n\n");
    /* Errors: declared, and not. */
    check_response(media, "PUT", "/v2/report", "", 409, json("{\"reason\":1}"), NULL,
        "409\nContent-Type: application/problem+json\nContent-Length: 12\n\n{\"reason\":1}");
    check_response(api, "GET", "/v1/open", "", 418, json("{}"), NULL, "418\nContent-Type: application/json\nContent-Length: 2\n\n{}");
    check_no_answer(media, "PUT", "/v2/report", "", 409, json("{}"), NULL, ROUTABLE_ERR_BODY, 0, "reason");
    check_no_answer(api, "GET", "/v1/one", "", 404, json("{}"), NULL, ROUTABLE_ERR_BODY, 0, "code");
    check_no_answer(api, "GET", "/v1/one", "", 201, json("{}"), NULL, ROUTABLE_ERR_UNKNOWN, 0, "declared: 200");
    check_no_answer(media, "PUT", "/v2/report", "", 200, json("{}"), NULL, ROUTABLE_ERR_UNKNOWN, 0, "201, 204, 303");
    check_no_answer(api, "GET", "/v1/open", "", 302, none, NULL, ROUTABLE_ERR_UNKNOWN, 0, "302");
    check_no_answer(api, "GET", "/v1/open", "", 199, none, NULL, ROUTABLE_ERR_ARGUMENT, 0, "200 to 599");
    check_no_answer(api, "GET", "/v1/open", "", 600, none, NULL, ROUTABLE_ERR_ARGUMENT, 0, "200 to 599");
    check_no_answer(api, "GET", "/v1/open", "", -1, none, NULL, ROUTABLE_ERR_ARGUMENT, 0, "200 to 599");
}

static void values(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_received *const received = receive(api, "GET", "/v1/users/ann/notes", "");
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    const routable_error *next;
    size_t count = 0;
    (void)state;
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, json("{\"text\":\"\"}"), NULL, ROUTABLE_ERR_BODY, 0, "/text");
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, json("{\"text\":"), NULL, ROUTABLE_ERR_JSON, 0, "");
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, json("{\"text\":\"a\",\"text\":\"b\"}"), NULL, ROUTABLE_ERR_JSON, 0, "");
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, json(""), NULL, ROUTABLE_ERR_JSON, 0, "");
    check_no_answer(api, "GET", NOTE_TARGET, "", 200, none, NULL, ROUTABLE_ERR_BODY, 0, "a body is required");
    check_no_answer(api, "DELETE", NOTE_TARGET, "", 204, json("{}"), NULL, ROUTABLE_ERR_BODY, 0, "204 has no body");
    /* Bytes that are JSON are validated, and sent unchanged. */
    check_response(api, "GET", NOTE_TARGET, "", 0, routable_value_string("{ \"text\":\"hi\" }"), NULL,
        "200\nContent-Type: application/json\nContent-Length: 15\n\n{ \"text\":\"hi\" }");
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, routable_value_string("hi"), NULL, ROUTABLE_ERR_JSON, 0, "");
    /* All reasons, each with its pointer into the value. */
    assert_int_equal(
        routable_answer_new(received, 0, json("[{\"text\":\"\"},{\"text\":1},{}]"), NULL, &answer, &error), ROUTABLE_ERR_BODY);
    for (next = error; next; next = routable_error_next(next))
        count++;
    assert_int_equal(count, 3);
    check_text("pointer", routable_error_pointer(error), "/0/text");
    routable_error_free(error);
    options.max_errors = 2;
    assert_int_equal(
        routable_answer_new(received, 0, json("[{\"text\":\"\"},{\"text\":1},{}]"), &options, &answer, &error), ROUTABLE_ERR_BODY);
    assert_non_null(routable_error_next(error));
    assert_null(routable_error_next(routable_error_next(error)));
    routable_error_free(error);
    routable_received_free(received);
}

/* The media type of the response to /v2/report for an Accept header, as "text/csv"; "406" if there is none. */
static void check_media(const char *accept, routable_value value, const char *expected)
{
    char line[512];
    routable_received *received;
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    routable_status status;
    snprintf(line, sizeof line, "%s%s", *accept ? "Accept:" : "", accept);
    received = receive(media, "GET", "/v2/report", line);
    status = routable_answer_new(received, 0, value, NULL, &answer, &error);
    if (status == ROUTABLE_OK) {
        check_text(accept, routable_answer_header(answer, "content-type"), expected);
        check_text(accept, routable_answer_header(answer, "vary"), "Accept");
    } else {
        char got[256];
        snprintf(got, sizeof got, "%d", routable_error_http_status(error));
        if (strcmp(got, expected) != 0)
            fail_msg("Accept: %s\nexpected: %s\ngot:      %s, %s", accept, expected, got, message_of(error));
        check_text(accept, routable_error_parameter(error), "Accept");
    }
    routable_answer_free(answer);
    routable_error_free(error);
    routable_received_free(received);
}

static void media_types(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    const routable_value rows = json("{\"rows\":1}"), bytes = routable_value_string("a,b");
    (void)state;
    check_media("", rows, "application/json");
    check_media("*/*", rows, "application/json");
    check_media("application/*", rows, "application/json");
    check_media("application/vnd.brief+json;q=0.5, application/json", rows, "application/json");
    check_media("application/vnd.brief+json, application/json;q=0.5", json("[]"), "application/vnd.brief+json");
    check_media("application/json;q=0, */*", json("[]"), "application/vnd.brief+json");
    check_media("*/*;q=0.1, APPLICATION/VND.BRIEF+JSON ; Q=0.2", json("[]"), "application/vnd.brief+json");
    check_media("application/json;charset=utf-8", rows, "application/json");
    check_media("application/json;version=2", rows, "406");
    check_media("text/html", rows, "406");
    check_media("text/csv", rows, "406"); /* declared, but not JSON */
    check_media("*/*;q=0", rows, "406");
    check_media("", bytes, "text/csv");
    check_media("image/*, text/csv;q=0.9", bytes, "image/png");
    check_media("text/html;x=\"a,b\", image/png", bytes, "image/png");
    /* Ranges that are not valid are ignored. */
    check_media("nothing", rows, "application/json");
    check_media(",, ;q=1,", rows, "application/json");
    check_media("application/json;q=x, application/vnd.brief+json;q=0.1", json("[]"), "application/vnd.brief+json");
    check_media("application/json;q=2", rows, "application/json");
    check_media("text/html;x=\"\\", rows, "406");
    check_media("text/html;q=0.0001, */*;q=0.001", rows, "application/json");
    /* The body is validated against the type of the chosen media type. */
    check_no_answer(media, "GET", "/v2/report", "Accept:application/vnd.brief+json", 0, rows, NULL, ROUTABLE_ERR_BODY, 0, "array");
    /* A response to an error is sent even if it is not acceptable. */
    check_response(media, "PUT", "/v2/report", "Accept:text/html", 409, json("{\"reason\":1}"), NULL,
        "409\nContent-Type: application/problem+json\nContent-Length: 12\n\n{\"reason\":1}");
    options.content_type = "text/csv; header=present";
    check_response(media, "GET", "/v2/report", "", 0, bytes, &options,
        "200\nContent-Type: text/csv; header=present\nContent-Length: 3\n\na,b");
    check_no_answer(media, "GET", "/v2/report", "", 0, rows, &options, ROUTABLE_ERR_BODY, 0, "is JSON");
    check_no_answer(media, "GET", "/v2/report", "Accept:image/png", 0, bytes, &options, ROUTABLE_ERR_VALUE, 406, "text/csv");
    options.content_type = "text/html";
    check_no_answer(media, "GET", "/v2/report", "", 0, bytes, &options, ROUTABLE_ERR_BODY, 0, "text/html is not declared");
    check_no_answer(api, "GET", NOTE_TARGET, "", 0, bytes, &options, ROUTABLE_ERR_BODY, 0, "not declared");
    options.content_type = "html";
    check_no_answer(api, "GET", "/v1/open", "", 0, bytes, &options, ROUTABLE_ERR_HEADER, 0, "not a media type");
    options.content_type = "text/a;b=\"\r\n\"";
    check_no_answer(api, "GET", "/v1/open", "", 0, bytes, &options, ROUTABLE_ERR_HEADER, 0, "");
}

static void headers(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_header given[2] = { { ROUTABLE_STR_INIT("X-A"), ROUTABLE_STR_INIT("1") }, { ROUTABLE_STR_INIT("X-A"), ROUTABLE_STR_INIT("2") } };
    static const char *const forbidden[] = { "Content-Length", "transfer-encoding", "Connection", "a b", "" };
    size_t index;
    (void)state;
    options.headers = given, options.header_count = 2;
    check_response(api, "DELETE", NOTE_TARGET, "", 0, none, &options, "204\nX-A: 1\nX-A: 2\n\n");
    for (index = 0; index < sizeof forbidden / sizeof *forbidden; index++) {
        given[1].name = routable_str_from(forbidden[index]);
        check_no_answer(api, "DELETE", NOTE_TARGET, "", 0, none, &options, ROUTABLE_ERR_HEADER, 0, "");
    }
    given[1].name = ROUTABLE_STR("X-B");
    given[1].value = ROUTABLE_STR("a\r\nSet-Cookie: b");
    check_no_answer(api, "DELETE", NOTE_TARGET, "", 0, none, &options, ROUTABLE_ERR_HEADER, 0, "CR, LF or NUL");
    given[1].value = ROUTABLE_STR("a\0b");
    check_no_answer(api, "DELETE", NOTE_TARGET, "", 0, none, &options, ROUTABLE_ERR_HEADER, 0, "CR, LF or NUL");
    /* A header that is also set by an option. */
    given[1] = (routable_header){ ROUTABLE_STR("etag"), ROUTABLE_STR("\"1\"") };
    check_response(api, "DELETE", NOTE_TARGET, "", 0, none, &options, "204\nX-A: 1\nETag: \"1\"\n\n");
    options.etag = "\"2\"";
    check_no_answer(api, "DELETE", NOTE_TARGET, "", 0, none, &options, ROUTABLE_ERR_HEADER, 0, "given twice");
    options = (routable_answer_options)ROUTABLE_ANSWER_OPTIONS_INIT;
    options.etag = "7";
    check_no_answer(api, "DELETE", NOTE_TARGET, "", 0, none, &options, ROUTABLE_ERR_VALUE, 0, "ETag 7");
}

static void heads(void **state)
{
    (void)state;
    check_response(api, "HEAD", NOTE_TARGET, "", 0, json("{\"text\":\"hi\"}"), NULL,
        "200\nContent-Type: application/json\nContent-Length: 13\n\n");
    check_response(api, "HEAD", NOTE_TARGET, "", 0, none, NULL, "200\n\n");
    check_response(api, "HEAD", NOTE_TARGET, "", 204, none, NULL, "204\n\n");
    check_no_answer(api, "HEAD", NOTE_TARGET, "", 0, json("{}"), NULL, ROUTABLE_ERR_BODY, 0, "text");
}

/* Checks the response of a GET request, or the precondition of another request, with an ETag. */
static void check_condition(const char *method, const char *lines, const char *etag, int32_t expected)
{
    routable_received *const received = receive(api, method, NOTE_TARGET, lines);
    int32_t got = -1;
    routable_error *error = NULL;
    check_status(lines, routable_received_precondition(received, etag, &got, &error), ROUTABLE_OK, error);
    if (got != expected)
        fail_msg("%s [%s] %s\nexpected: %d\ngot:      %d", method, lines, etag ? etag : "NULL", expected, got);
    if (etag && strcmp(method, "GET") == 0) {
        routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
        routable_answer *answer = NULL;
        options.etag = etag;
        got = routable_answer_new(received, 0, json("{\"text\":\"hi\"}"), &options, &answer, &error) == ROUTABLE_OK
            ? routable_answer_status(answer)
            : routable_error_http_status(error);
        if (got != (expected ? expected : 200))
            fail_msg("%s [%s] %s\nexpected: %d\ngot:      %d, %s", method, lines, etag, expected, got, message_of(error));
        if (got < 400)
            check_text(lines, routable_answer_header(answer, "ETag"), etag);
        if (got == 304)
            check_text(lines, routable_answer_body(answer), "");
        routable_answer_free(answer);
        routable_error_free(error);
    }
    routable_received_free(received);
}

static void conditions(void **state)
{
    routable_received *const received = receive(api, "GET", NOTE_TARGET, "");
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_error *error = NULL;
    int32_t got = -1;
    (void)state;
    check_condition("GET", "", "\"1\"", 0);
    check_condition("GET", "If-None-Match:\"1\"", "\"1\"", 304);
    check_condition("GET", "If-None-Match:W/\"1\"", "\"1\"", 304);
    check_condition("GET", "If-None-Match:\"1\"", "W/\"1\"", 304);
    check_condition("GET", "If-None-Match:\"0\", \"a,b\" ,\"1\"", "\"1\"", 304);
    check_condition("GET", "If-None-Match:\"a,b\"", "\"a,b\"", 304);
    check_condition("GET", "If-None-Match:\"a\\\", \"1\"", "\"1\"", 304); /* a backslash is a character */
    check_condition("GET", "If-None-Match:*", "\"1\"", 304);
    check_condition("GET", "If-None-Match:*", NULL, 0);
    check_condition("GET", "If-None-Match:1, \"1", "\"1\"", 0);
    check_condition("GET", "If-None-Match:\"2\"", "\"1\"", 0);
    check_condition("GET", "If-Match:\"1\"", "\"1\"", 0);
    check_condition("GET", "If-Match:\"2\", \"1\"", "\"1\"", 0);
    check_condition("GET", "If-Match:\"2\"", "\"1\"", 412);
    check_condition("GET", "If-Match:W/\"1\"", "W/\"1\"", 412);
    check_condition("GET", "If-Match:\"1\"", "W/\"1\"", 412);
    check_condition("GET", "If-Match:*", "W/\"1\"", 0);
    check_condition("GET", "If-Match:\"1\"\nIf-None-Match:\"1\"", "\"1\"", 304);
    check_condition("DELETE", "If-Match:\"2\"", "\"1\"", 412);
    check_condition("DELETE", "If-Match:*", NULL, 412);
    check_condition("DELETE", "If-None-Match:*", "\"1\"", 412);
    check_condition("DELETE", "If-None-Match:*", NULL, 0);
    /* The headers are those of 200, also if the content type is chosen. */
    options.etag = "\"1\"";
    check_response(media, "GET", "/v2/report", "If-None-Match:\"1\"", 0, json("{\"rows\":1}"), &options, "304\nETag: \"1\"\nVary: Accept\n\n");
    check_response(media, "GET", "/v2/report", "", 0, json("{\"rows\":1}"), &options,
        "200\nContent-Type: application/json\nVary: Accept\nETag: \"1\"\nContent-Length: 10\n\n{\"rows\":1}");
    options.content_type = "application/json";
    check_response(media, "GET", "/v2/report", "If-None-Match:\"1\"", 0, json("{\"rows\":1}"), &options, "304\nETag: \"1\"\n\n");
    check_response(media, "GET", "/v2/report", "", 0, json("{\"rows\":1}"), &options,
        "200\nContent-Type: application/json\nETag: \"1\"\nContent-Length: 10\n\n{\"rows\":1}");
    options.etag = options.content_type = NULL;
    assert_int_equal(routable_received_precondition(received, "1", &got, &error), ROUTABLE_ERR_VALUE);
    assert_int_equal(got, -1);
    routable_error_free(error);
    routable_received_free(received);
    /* After a change, the ETag is the new one, and no condition is evaluated. */
    options.etag = "\"2\"";
    check_response(api, "DELETE", NOTE_TARGET, "If-Match:\"1\"", 0, none, &options, "204\nETag: \"2\"\n\n");
}

static void locations(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_receive_options given = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received = NULL;
    routable_error *error = NULL;
    routable_argument ids[2] = { { "user_id", routable_value_string("a/b") }, { "number", routable_value_integer(8) } };
    const routable_header type = { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") };
    (void)state;
    options.location_route = "user.note", options.location_ids = ids, options.location_id_count = 2;
    check_response(api, "GET", "/v1/open", "", 201, none, &options, "201\nLocation: /v1/users/a%2Fb/notes/8\nContent-Length: 0\n\n");
    options.location_operation = "list", options.location_id_count = 1;
    check_response(api, "GET", "/v1/open", "", 201, none, &options, "201\nLocation: /v1/users/a%2Fb/notes\nContent-Length: 0\n\n");
    options.location_operation = NULL;
    check_no_answer(api, "GET", "/v1/open", "", 201, none, &options, ROUTABLE_ERR_ID, 0, "number");
    options.location = "/x";
    check_no_answer(api, "GET", "/v1/open", "", 201, none, &options, ROUTABLE_ERR_ARGUMENT, 0, "both set");
    options.location_route = NULL;
    check_response(api, "GET", "/v1/open", "", 201, none, &options, "201\nLocation: /x\nContent-Length: 0\n\n");
    options.location = "/x\r\ny";
    check_no_answer(api, "GET", "/v1/open", "", 201, none, &options, ROUTABLE_ERR_HEADER, 0, "Location");
    /* Behind a proxy with a prefix. */
    options.location = NULL, options.location_route = "user.note", options.location_id_count = 2;
    given.base_path = "/gateway/";
    incoming.method = "POST", incoming.target = ROUTABLE_STR("/gateway/users/a/notes"), incoming.body = ROUTABLE_STR("{\"text\":\"a\"}");
    incoming.headers = &type, incoming.header_count = 1;
    check_status("base path", routable_received_new(api, &incoming, &given, &received, &error), ROUTABLE_OK, error);
    check_answer("base path", received, 201, json("{\"text\":\"a\"}"), &options,
        "201\nLocation: /gateway/users/a%2Fb/notes/8\nContent-Type: application/json\nContent-Length: 12\n\n{\"text\":\"a\"}");
    routable_received_free(received);
}

/* Reads the pieces of a body and joins them; returns the status after the last one. */
static routable_status read_all(routable_answer *answer, char *text, size_t capacity)
{
    routable_str piece;
    routable_error *error = NULL;
    routable_status status;
    size_t length = 0;
    while ((status = routable_answer_next(answer, &piece, &error)) == ROUTABLE_OK && length + piece.len < capacity) {
        memcpy(text + length, piece.ptr, piece.len);
        length += piece.len;
    }
    text[length] = 0;
    routable_error_free(error);
    return status;
}

static void files(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_received *received = receive(media, "GET", "/v2/report", "");
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    routable_str piece;
    char folder[256], path[300], text[64];
    int descriptor;
    (void)state;
    assert_true(make_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/rows.csv", folder);
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "a,b\n1,2\n", 8), 8);
    options.file = path;
    check_status("file", routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_OK, error);
    check_text("file", routable_str_from(text_of_answer(answer)), "200\nContent-Type: text/csv\nContent-Length: 8\n\n");
    assert_int_equal(routable_answer_body_length(answer), 8);
    assert_true(routable_answer_descriptor(answer) >= 0);
    assert_int_equal(read_all(answer, text, sizeof text), ROUTABLE_IDLE);
    assert_string_equal(text, "a,b\n1,2\n");
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_IDLE);
    routable_answer_free(answer);
    /* The rest of an open file, which stays open; the file is truncated while it is sent. */
    options.file = NULL, options.descriptor = descriptor;
    assert_int_equal(lseek(descriptor, 4, SEEK_SET), 4);
    check_status("descriptor", routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_OK, error);
    check_text("descriptor", routable_answer_header(answer, "content-length"), "4");
    assert_int_equal(ftruncate(descriptor, 6), 0);
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_OK);
    check_text("descriptor", routable_str_from_bytes(piece.ptr, piece.len), "1,");
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_ERR_FILE);
    routable_error_free(error);
    routable_answer_free(answer);
    assert_int_not_equal(fcntl(descriptor, F_GETFD), -1);
    assert_int_equal(routable_answer_new(received, 0, json("{\"rows\":1}"), &options, &answer, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    options.file = path;
    assert_int_equal(routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    options.descriptor = ROUTABLE_NONE;
    routable_received_free(received);
    received = receive(media, "HEAD", "/v2/report", "");
    check_status("HEAD", routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_OK, error);
    check_text("HEAD", routable_answer_header(answer, "content-length"), "6");
    assert_int_equal(routable_answer_descriptor(answer), ROUTABLE_NONE);
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_IDLE);
    routable_answer_free(answer);
    close(descriptor);
    unlink(path);
    rmdir(folder);
    assert_int_equal(routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_ERR_FILE);
    routable_error_free(error);
    options.file = "/tmp";
    assert_int_equal(routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_ERR_FILE);
    routable_error_free(error);
    routable_received_free(received);
}

typedef struct list {
    const routable_stream_item *items;
    size_t count, place;
    int pending, released;
    routable_status end;
} list;

static routable_status next_of(routable_stream_item *item, void *user_data)
{
    list *const all = user_data;
    if (all->pending) {
        all->pending = 0;
        return ROUTABLE_PENDING;
    }
    if (all->place == all->count)
        return all->end;
    *item = all->items[all->place++];
    return ROUTABLE_OK;
}

static void release(void *user_data) { ((list *)user_data)->released++; }

static void check_items(routable_stream_kind kind, const routable_stream_item *items, size_t count, routable_status end, const char *expected)
{
    list all = { items, count, 0, 1, 0, end == ROUTABLE_ERR_CALLBACK ? ROUTABLE_ERR_TRANSFER : ROUTABLE_IDLE };
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_received *const received = receive(media, "GET", "/v2/report", "");
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    routable_str piece;
    char text[256];
    options.next = next_of, options.user_data = &all, options.release = release, options.next_kind = kind;
    check_status(expected, routable_answer_new(received, 0, none, &options, &answer, &error), ROUTABLE_OK, error);
    check_text(expected, routable_answer_header(answer, "content-type"), kind == ROUTABLE_STREAM_LINES ? "application/jsonl" : "text/event-stream");
    assert_int_equal(routable_answer_body_length(answer), ROUTABLE_NONE);
    check_text(expected, routable_answer_header(answer, "content-length"), "");
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_PENDING);
    assert_int_equal(read_all(answer, text, sizeof text), end);
    assert_string_equal(text, expected);
    assert_int_equal(routable_answer_next(answer, &piece, &error), ROUTABLE_IDLE);
    assert_int_equal(all.released, 0);
    routable_answer_free(answer);
    assert_int_equal(all.released, 1);
    routable_received_free(received);
}

static void items(void **state)
{
    const routable_stream_item lines[] = { { ROUTABLE_STR_INIT("{\n\"a\": 1 }"), { NULL, 0 }, { NULL, 0 } },
        { ROUTABLE_STR_INIT("\"b\\n\""), { NULL, 0 }, { NULL, 0 } } };
    const routable_stream_item bad[] = { { ROUTABLE_STR_INIT("1"), { NULL, 0 }, { NULL, 0 } }, { ROUTABLE_STR_INIT("{"), { NULL, 0 }, { NULL, 0 } } };
    const routable_stream_item events[] = { { ROUTABLE_STR_INIT("a\r\nb\rc\n"), ROUTABLE_STR_INIT("note"), ROUTABLE_STR_INIT("7") },
        { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } } };
    const routable_stream_item split = { ROUTABLE_STR_INIT("a"), ROUTABLE_STR_INIT("b\nid: 1"), { NULL, 0 } };
    list all = { NULL, 0, 0, 0, 0, ROUTABLE_IDLE };
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    (void)state;
    check_items(ROUTABLE_STREAM_LINES, lines, 2, ROUTABLE_IDLE, "{\"a\":1}\n\"b\\n\"\n");
    check_items(ROUTABLE_STREAM_LINES, bad, 2, ROUTABLE_ERR_JSON, "1\n");
    check_items(ROUTABLE_STREAM_LINES, lines, 1, ROUTABLE_ERR_CALLBACK, "{\"a\":1}\n");
    check_items(ROUTABLE_STREAM_EVENTS, events, 2, ROUTABLE_IDLE, "id: 7\nevent: note\ndata: a\ndata: b\ndata: c\ndata: \n\ndata: \n\n");
    check_items(ROUTABLE_STREAM_EVENTS, &split, 1, ROUTABLE_ERR_VALUE, "");
    /* The user data is released if the answer is refused. */
    options.next = next_of, options.user_data = &all, options.release = release;
    check_no_answer(media, "GET", "/v2/report", "Accept:text/html", 0, none, &options, ROUTABLE_ERR_VALUE, 406, "application/jsonl");
    assert_int_equal(all.released, 1);
    options.next_kind = ROUTABLE_STREAM_BYTES;
    check_no_answer(media, "GET", "/v2/report", "", 0, none, &options, ROUTABLE_ERR_ARGUMENT, 0, "next_kind");
    assert_int_equal(all.released, 2);
}

/* Checks the response to a request that was refused. */
static void check_refusal(const char *method, const char *target, uint32_t flags, const char *expected)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_received *received = NULL;
    routable_answer *answer = NULL;
    routable_error *refused = NULL, *error = NULL;
    options.flags = ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS;
    incoming.method = method, incoming.target = routable_str_from(target);
    assert_int_not_equal(routable_received_new(api, &incoming, &options, &received, &refused), ROUTABLE_OK);
    check_status(target, routable_answer_new_refused(refused, method, flags, &answer, &error), ROUTABLE_OK, error);
    check_text(target, routable_str_from(text_of_answer(answer)), expected);
    routable_answer_free(answer);
    routable_error_free(refused);
}

static void problems(void **state)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    const routable_header retry = { ROUTABLE_STR_INIT("Retry-After"), ROUTABLE_STR_INIT("5") };
    const routable_header csv = { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("text/csv") };
    routable_received *received = receive(api, "GET", "/v1/secret", "Authorization:Bearer bad");
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    (void)state;
    check_refusal("OPTIONS", NOTE_TARGET, 0, "204\nAllow: DELETE, GET, HEAD, PUT\n\n");
    check_refusal("PUT", "/v1/users", 0,
        "405\nAllow: GET, HEAD\nContent-Type: application/problem+json\nContent-Length: 223\n\n"
        "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,\"detail\":\"the path of the request has no method PUT; allowed: GET, HEAD\","
        "\"errors\":[{\"detail\":\"the path of the request has no method PUT; allowed: GET, HEAD\"}]}");
    check_refusal("HEAD", "/v1/nothing", 0, "404\nContent-Type: application/problem+json\nContent-Length: 172\n\n");
    check_status("problem", routable_answer_new_problem(received, 401, ROUTABLE_STR("the token is not good"), NULL, &answer, &error),
        ROUTABLE_OK, error);
    check_text("problem", routable_str_from(text_of_answer(answer)),
        "401\nWWW-Authenticate: Bearer realm=\"service\"\nContent-Type: application/problem+json\nContent-Length: 91\n\n"
        "{\"type\":\"about:blank\",\"title\":\"Unauthorized\",\"status\":401,\"detail\":\"the token is not good\"}");
    routable_answer_free(answer);
    options.headers = &retry, options.header_count = 1;
    check_status("problem", routable_answer_new_problem(NULL, 429, ROUTABLE_STR(""), &options, &answer, &error), ROUTABLE_OK, error);
    check_text("problem", routable_str_from(text_of_answer(answer)),
        "429\nRetry-After: 5\nContent-Type: application/problem+json\nContent-Length: 63\n\n"
        "{\"type\":\"about:blank\",\"title\":\"Too Many Requests\",\"status\":429}");
    routable_answer_free(answer);
    answer = NULL;
    assert_int_equal(routable_answer_new_problem(received, 200, ROUTABLE_STR("a"), NULL, &answer, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    assert_int_equal(routable_answer_new_problem(received, 400, ROUTABLE_STR("\xFF"), NULL, &answer, &error), ROUTABLE_ERR_VALUE);
    routable_error_free(error);
    /* The media type of a problem is fixed. */
    options.headers = &csv;
    assert_int_equal(routable_answer_new_problem(received, 400, ROUTABLE_STR("a"), &options, &answer, &error), ROUTABLE_ERR_HEADER);
    check_text("parameter", routable_error_parameter(error), "Content-Type");
    routable_error_free(error);
    /* A refused answer becomes 406, or 500 without the reason. */
    routable_received_free(received);
    received = receive(api, "GET", NOTE_TARGET, "Accept:text/html");
    assert_int_equal(routable_answer_new(received, 0, json("{\"text\":\"a\"}"), NULL, &answer, &error), ROUTABLE_ERR_VALUE);
    assert_int_equal(routable_answer_new_refused(error, "GET", 0, &answer, NULL), ROUTABLE_OK);
    assert_int_equal(routable_answer_status(answer), 406);
    routable_answer_free(answer);
    routable_error_free(error);
    assert_int_equal(routable_answer_new(received, 0, json("{}"), NULL, &answer, &error), ROUTABLE_ERR_VALUE);
    routable_error_free(error);
    routable_received_free(received);
    received = receive(api, "GET", NOTE_TARGET, "");
    assert_int_equal(routable_answer_new(received, 0, json("{}"), NULL, &answer, &error), ROUTABLE_ERR_BODY);
    assert_int_equal(routable_answer_new_refused(error, "GET", 0, &answer, NULL), ROUTABLE_OK);
    check_text("500", routable_answer_body(answer), "{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500}");
    routable_answer_free(answer);
    routable_error_free(error);
    routable_received_free(received);
}

/* An object without a request has no response. */
static void empty(void **state)
{
    routable_received *const received = receive(api, "GET", "/v1/open", "");
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    int32_t http_status = 0;
    (void)state;
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/v1/nothing");
    assert_int_equal(routable_received_reset(received, &incoming, NULL, &error), ROUTABLE_NO_MATCH);
    routable_error_free(error);
    assert_int_equal(routable_answer_new(received, 0, none, NULL, &answer, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    assert_int_equal(routable_received_precondition(received, NULL, &http_status, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    assert_null(answer);
    routable_received_free(received);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(statuses), cmocka_unit_test(values), cmocka_unit_test(media_types),
        cmocka_unit_test(headers), cmocka_unit_test(heads), cmocka_unit_test(conditions), cmocka_unit_test(locations),
        cmocka_unit_test(files), cmocka_unit_test(items), cmocka_unit_test(problems), cmocka_unit_test(empty) };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
