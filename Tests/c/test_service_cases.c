/* A service in C gives the recorded responses of Tests/golden/service.json, which are also those of a service in Python
 * (bindings/python/tests/service_cases.py) and in Swift (ServiceCasesTests.swift). */
#include "support.h"

#include "routable_jansson.h"

#include <ctype.h>

enum { MAX_HEADERS = 8 };

static routable_router *api;

/* The result of a handler: a response, or the refusal of the request. */
typedef struct result {
    int32_t status;
    json_t *value; /* owned; NULL: no body */
    const char *detail, *content_type;
    char etag[16];
    routable_header header;
    int is_created;
} result;

static void refuse_with(result *out, int32_t status, const char *detail)
{
    out->status = status;
    out->detail = detail;
}

/* The members of the models, with integers instead of floating-point numbers. */
static json_t *kept(const routable_received *received, const char *const *names)
{
    const routable_str body = routable_received_body(received);
    json_t *const all = json_loadb(body.ptr, body.len, JSON_DECODE_ANY, NULL), *const some = json_object();
    for (; *names; names++) {
        json_t *const value = json_object_get(all, *names);
        if (json_is_real(value))
            json_object_set_new(some, *names, json_integer((json_int_t)json_real_value(value)));
        else if (value)
            json_object_set(some, *names, value);
    }
    json_decref(all);
    return some;
}

static const char *const user_names[] = { "name", "age", NULL }, *const note_names[] = { "text", "stars", "tags", NULL };

static json_t *user_of(const char *name)
{
    return same_text(routable_str_from(name), "ann")   ? json_pack("{s:s, s:i}", "name", name, "age", 30)
           : same_text(routable_str_from(name), "bob") ? json_pack("{s:s, s:i}", "name", name, "age", 40)
                                                       : NULL;
}

static json_t *note_of(const char *user, json_int_t number)
{
    char text[32];
    snprintf(text, sizeof text, "note %lld", (long long)number);
    return json_pack("{s:s, s:i, s:[s]}", "text", text, "stars", (int)(number % 6), "tags", user);
}

static void run_user(const routable_received *received, const char *operation, const char *name, result *out)
{
    if (!strcmp(operation, "list"))
        out->value = json_pack("[o, o]", user_of("ann"), user_of("bob"));
    else if (!strcmp(operation, "read")) {
        if (!(out->value = user_of(name))) return refuse_with(out, 404, "there is no such user");
        snprintf(out->etag, sizeof out->etag, "\"%d\"", (int)json_integer_value(json_object_get(out->value, "age")));
    } else {
        static char detail[512];
        out->value = kept(received, user_names);
        snprintf(detail, sizeof detail, "the name of the user is %s", name);
        if (strcmp(json_string_value(json_object_get(out->value, "name")), name)) refuse_with(out, 409, detail);
    }
}

static void run_note(const routable_received *received, const char *operation, const char *user, json_int_t number, result *out)
{
    if (!strcmp(operation, "list"))
        out->value = json_pack("[o, o, o]", note_of(user, 1), note_of(user, 2), note_of(user, 3));
    else if (!strcmp(operation, "read")) {
        if (number >= 100) return refuse_with(out, 404, "there is no such note");
        out->value = note_of(user, number);
        snprintf(out->etag, sizeof out->etag, number % 2 ? "W/\"%d\"" : "\"%d\"", (int)number);
    } else if (!strcmp(operation, "create")) {
        if (!strcmp(user, "eve")) {
            out->header = (routable_header){ ROUTABLE_STR_INIT("X-Reason"), ROUTABLE_STR_INIT("eve") };
            return refuse_with(out, 403, "eve writes no notes");
        }
        out->status = 201, out->is_created = 1;
        out->value = kept(received, note_names);
    } else if (!strcmp(operation, "update"))
        out->value = kept(received, note_names);
    else if (number >= 100)
        refuse_with(out, 404, "");
}

static void run_broken(const char *mode, result *out)
{
    if (!strcmp(mode, "raise")) return refuse_with(out, 500, "");
    if (!strcmp(mode, "text")) {
        out->content_type = "text/plain";
        out->value = json_string("text");
        return;
    }
    out->value = json_pack("{s:i}", strcmp(mode, "value") ? "a" : "b", 1);
    if (!strcmp(mode, "status")) out->status = 201;
    if (!strcmp(mode, "error")) out->status = 418;
    if (!strcmp(mode, "header")) out->header = (routable_header){ ROUTABLE_STR_INIT("a b"), ROUTABLE_STR_INIT("c") };
}

/* A value in the path or the query as a string; "" for none. */
static const char *text_at(const routable_received *received, routable_location location, const char *name)
{
    const routable_value value = routable_received_value(received, location, name);
    return value.kind == ROUTABLE_KIND_STRING ? value.as.string.ptr : "";
}

static void run(const routable_received *received, result *out)
{
    const char *const route = routable_received_route(received).ptr;
    const char *const operation = routable_operation_name(routable_received_operation(received)).ptr;
    if (same_text(routable_received_route(received), "user"))
        run_user(received, operation, text_at(received, ROUTABLE_IN_PATH, "name"), out);
    else if (route && !strcmp(route, "user.note"))
        run_note(received, operation, text_at(received, ROUTABLE_IN_PATH, "user_id"),
            routable_received_value(received, ROUTABLE_IN_PATH, "number").as.integer, out);
    else if (!strcmp(operation, "search"))
        out->value = json_pack("{s:s, s:I}", "q", text_at(received, ROUTABLE_IN_QUERY, "q"), "limit",
            (json_int_t)routable_received_value(received, ROUTABLE_IN_QUERY, "limit").as.integer);
    else if (!strcmp(operation, "secret"))
        out->value = json_pack("{s:s}", "identity", "ann");
    else if (!strcmp(operation, "broken"))
        run_broken(text_at(received, ROUTABLE_IN_QUERY, "mode"), out);
    else
        refuse_with(out, 501, "missing has no handler");
}

static routable_answer *answer_to(const routable_received *received, const char *method)
{
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_argument ids[2] = { ROUTABLE_ARGUMENT_INIT, ROUTABLE_ARGUMENT_INIT };
    routable_value value = routable_value_null();
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    result found;
    char *text = NULL;
    memset(&found, 0, sizeof found);
    run(received, &found);
    if (found.header.name.ptr) options.headers = &found.header, options.header_count = 1;
    if (found.detail) {
        check_status(found.detail, routable_answer_new_problem(received, found.status, routable_str_from(found.detail), &options, &answer, &error),
            ROUTABLE_OK, error);
        json_decref(found.value);
        return answer;
    }
    options.content_type = found.content_type;
    options.etag = found.etag[0] ? found.etag : NULL;
    if (found.content_type)
        value = routable_value_string(json_string_value(found.value));
    else if (found.value)
        value = routable_value_json(text = json_dumps(found.value, JSON_ENCODE_ANY));
    if (found.is_created) {
        ids[0].value = routable_value_string(text_at(received, ROUTABLE_IN_PATH, "user_id"));
        ids[1].value = routable_value_integer(100);
        options.location_route = "user.note", options.location_ids = ids, options.location_id_count = 2;
    }
    if (routable_answer_new(received, found.status, value, &options, &answer, &error) != ROUTABLE_OK) {
        check_status(method, routable_answer_new_refused(error, method, 0, &answer, NULL), ROUTABLE_OK, NULL);
        routable_error_free(error);
    }
    free(text);
    json_decref(found.value);
    return answer;
}

/* The response in the format of the file: the headers by their names in lower case, without Content-Length; the JSON of a value as a
 * value, because its white space and the order of its members depend on the language. */
static json_t *recorded_form(const routable_answer *answer, const char *method)
{
    const routable_str body = routable_answer_body(answer);
    json_t *const headers = json_object();
    json_t *content;
    size_t index, i;
    for (index = 0; index < routable_answer_header_count(answer); index++) {
        const routable_header header = routable_answer_header_at(answer, index);
        char name[64];
        assert_true(header.name.len < sizeof name);
        for (i = 0; i <= header.name.len; i++) name[i] = (char)tolower((unsigned char)header.name.ptr[i]);
        if (strcmp(name, "content-length"))
            json_object_set_new(headers, name, json_stringn(header.value.ptr, header.value.len));
        else if (strcmp(method, "HEAD"))
            assert_int_equal(strtoull(header.value.ptr, NULL, 10), body.len);
    }
    /* The method of a request that was refused is not known to the library. */
    content = json_stringn(body.ptr ? body.ptr : "", strcmp(method, "HEAD") ? body.len : 0);
    return json_pack("{s:i, s:o, s:o}", "status", (int)routable_answer_status(answer), "headers", headers, "body", content);
}

static int is_json(const json_t *response)
{
    const char *const type = json_string_value(json_object_get(json_object_get(response, "headers"), "content-type"));
    return type && !strcmp(type, "application/json");
}

static int is_same(const json_t *got, const json_t *expected)
{
    json_t *one, *other;
    int same;
    if (json_equal(got, expected)) return 1;
    if (!is_json(got) || !is_json(expected)) return 0;
    one = json_loads(json_string_value(json_object_get(got, "body")), JSON_DECODE_ANY, NULL);
    other = json_loads(json_string_value(json_object_get(expected, "body")), JSON_DECODE_ANY, NULL);
    same = json_equal(one, other) && json_equal(json_object_get(got, "status"), json_object_get(expected, "status")) &&
           json_equal(json_object_get(got, "headers"), json_object_get(expected, "headers"));
    json_decref(one);
    json_decref(other);
    return same;
}

static size_t read_base64(const char *text, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, count = 0;
    size_t length = 0;
    for (; *text && *text != '='; text++) {
        bits = bits << 6 | (unsigned)(strchr(digits, *text) - digits);
        if ((count += 6) >= 8) out[length++] = (char)(bits >> (count -= 8));
    }
    return length;
}

static routable_status verify(routable_str scheme, routable_str credential, void *user_data)
{
    (void)user_data;
    return same_text(scheme, "session") && same_text(credential, "good") ? ROUTABLE_OK : ROUTABLE_ERR_CREDENTIAL;
}

static routable_answer *asked(const json_t *request, size_t maximum)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_header headers[MAX_HEADERS];
    routable_received *received = NULL;
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    const json_t *const body = json_object_get(request, "body"), *const bytes = json_object_get(request, "base64");
    char packed[4096];
    const char *name;
    json_t *value;
    incoming.method = json_string_value(json_object_get(request, "method"));
    incoming.target = routable_str_from(json_string_value(json_object_get(request, "target")));
    incoming.headers = headers;
    json_object_foreach (json_object_get(request, "headers"), name, value) {
        assert_true(incoming.header_count < MAX_HEADERS);
        headers[incoming.header_count].name = routable_str_from(name);
        headers[incoming.header_count++].value = (routable_str){ json_string_value(value), json_string_length(value) };
    }
    if (body) incoming.body = (routable_str){ json_string_value(body), json_string_length(body) };
    if (bytes) {
        assert_true(json_string_length(bytes) < sizeof packed);
        incoming.body = (routable_str){ packed, read_base64(json_string_value(bytes), packed) };
    }
    options.max_body_bytes = maximum;
    options.verify = verify;
    if (routable_received_new(api, &incoming, &options, &received, &error) == ROUTABLE_OK)
        answer = answer_to(received, incoming.method);
    else
        check_status(incoming.method, routable_answer_new_refused(error, incoming.method, 0, &answer, NULL), ROUTABLE_OK, NULL);
    routable_error_free(error);
    routable_received_free(received);
    return answer;
}

static void test_cases(void **state)
{
    size_t length, index, different = 0;
    char *const text = read_file("Tests/golden/service.json", &length);
    json_t *const all = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
    char *const document = json_dumps(json_object_get(all, "document"), 0);
    const size_t maximum = (size_t)json_integer_value(json_object_get(all, "maximum"));
    json_t *one;
    (void)state;
    assert_non_null(all);
    api = open_text(document);
    json_array_foreach (json_object_get(all, "cases"), index, one) {
        const json_t *const expected = json_object_get(one, "response");
        routable_answer *const answer = asked(one, maximum);
        json_t *const got = recorded_form(answer, json_string_value(json_object_get(one, "method")));
        if (!is_same(got, expected)) {
            char *const input = json_dumps(one, 0), *const output = json_dumps(got, 0);
            print_error("request and expected response\n%s\ngot\n%s\n", input, output);
            free(input);
            free(output);
            different++;
        }
        json_decref(got);
        routable_answer_free(answer);
    }
    assert_int_equal(index, 500);
    assert_int_equal(different, 0);
    routable_router_free(api);
    free(document);
    json_decref(all);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
