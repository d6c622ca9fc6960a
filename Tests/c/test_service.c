/* routable_service.h: reads received requests to calls, and reports all reasons of a refusal. */
#include "support.h"

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\","
    "\"types\":{\"Note\":{\"type\":\"object\",\"required\":[\"text\"],\"additionalProperties\":false,\"properties\":{"
    "\"text\":{\"type\":\"string\",\"minLength\":1},\"stars\":{\"type\":\"integer\",\"maximum\":5},\"open\":{\"type\":\"boolean\"},"
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}},"
    "\"auth\":{\"session\":{\"scheme\":\"bearer\"},\"login\":{\"scheme\":\"basic\"},\"key\":{\"scheme\":\"key\",\"in\":\"query\",\"name\":\"api_key\"}},"
    "\"resources\":{"
    "\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\"],\"has\":[\"note\"]},"
    "\"note\":{\"path\":\"notes\",\"id\":{\"name\":\"number\",\"type\":\"integer\"},\"nested\":true,\"type\":\"Note\","
    "\"can\":[\"list\",\"read\",\"create\",\"delete\"]}},"
    "\"operations\":{"
    "\"search\":{\"get\":\"/search\",\"query\":{\"q\":{\"type\":\"string\",\"required\":true},"
    "\"limit\":{\"type\":\"integer\",\"default\":10},\"tag\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"flags\":{\"type\":\"array\",\"items\":{\"type\":\"boolean\"}}},"
    "\"header\":{\"X-Depth\":{\"type\":\"integer\"}},\"cookie\":{\"theme\":{\"type\":\"string\"}}},"
    "\"form\":{\"post\":\"/form\",\"body_as\":\"form\",\"body\":{\"$ref\":\"#/types/Note\"}},"
    "\"parts\":{\"post\":\"/parts\",\"body_as\":\"multipart\"},"
    "\"file\":{\"put\":\"/files/{path...}\",\"body_as\":\"bytes\",\"body_required\":false},"
    "\"send\":{\"post\":\"/send\"},"
    "\"secret\":{\"get\":\"/secret\",\"auth\":[\"session\"]},"
    "\"either\":{\"get\":\"/either\",\"auth\":[\"login\",[\"session\",\"key\"]]}}}";

static routable_router *api;

static int open_api(void **state)
{
    routable_error *error = NULL;
    (void)state;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, &error) != ROUTABLE_OK) {
        fprintf(stderr, "%s\n", message_of(error));
        routable_error_free(error);
        return 1;
    }
    return 0;
}

static int close_api(void **state)
{
    (void)state;
    routable_router_free(api);
    return 0;
}

/* A request as strings: the request line "GET /v1/users", the headers, an empty line and the body. */
typedef struct request_text {
    char method[16], target[256], lines[512];
    routable_header headers[8];
    routable_incoming incoming;
} request_text;

static const routable_incoming *incoming_of(request_text *request, const char *method, const char *target, const char *headers, const char *body)
{
    char *line;
    size_t count = 0;
    snprintf(request->method, sizeof request->method, "%s", method);
    snprintf(request->target, sizeof request->target, "%s", target);
    snprintf(request->lines, sizeof request->lines, "%s", headers);
    for (line = strtok(request->lines, "\n"); line; line = strtok(NULL, "\n")) {
        char *const colon = strchr(line, ':');
        request->headers[count].name = routable_str_from_bytes(line, (size_t)(colon - line));
        request->headers[count++].value = routable_str_from(colon + 1);
    }
    request->incoming = (routable_incoming)ROUTABLE_INCOMING_INIT;
    request->incoming.method = request->method;
    request->incoming.target = routable_str_from(request->target);
    request->incoming.headers = request->headers;
    request->incoming.header_count = count;
    request->incoming.body = routable_str_from(body);
    return &request->incoming;
}

static routable_received *receive(const char *method, const char *target, const char *headers, const char *body)
{
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_received_new(api, incoming_of(&request, method, target, headers, body), NULL, &received, &error);
    check_status(target, status, ROUTABLE_OK, error);
    routable_error_free(error);
    return received;
}

/* Checks the call of a request, and that the request that is built from the call is read to the same call. */
static void check_call(const char *method, const char *target, const char *headers, const char *body, const char *expected)
{
    routable_received *const received = receive(method, target, headers, body);
    routable_string json = ROUTABLE_STRING_INIT, again = ROUTABLE_STRING_INIT;
    routable_request *built = NULL;
    routable_error *error = NULL;
    routable_header list[8];
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    size_t index;
    check_status(target, routable_received_to_json(received, &json, &error), ROUTABLE_OK, error);
    check_text(target, routable_str_from_bytes(json.ptr, json.len), expected);
    check_status(json.ptr, routable_request_new_json(api, json.ptr, json.len, &built, &error), ROUTABLE_OK, error);
    incoming.method = routable_request_method(built).ptr;
    incoming.target = routable_request_url(built);
    incoming.header_count = routable_request_header_count(built);
    assert_true(incoming.header_count <= 8);
    for (index = 0; index < incoming.header_count; index++)
        list[index] = routable_request_header_at(built, index);
    incoming.headers = list;
    incoming.body = routable_request_body(built);
    check_status(json.ptr, routable_received_reset(received, &incoming, NULL, &error), ROUTABLE_OK, error);
    check_status(target, routable_received_to_json(received, &again, &error), ROUTABLE_OK, error);
    check_text(target, routable_str_from_bytes(again.ptr, again.len), expected);
    routable_string_free(&json);
    routable_string_free(&again);
    routable_request_free(built);
    routable_received_free(received);
}

/* A value of each part, in its normal form. */
static void calls(void **state)
{
    (void)state;
    check_call("GET", "/v1/users", "", "", "{\"route\":\"user\",\"operation\":\"list\"}");
    check_call("GET", "https://other.example:8080/v1/users/ann%20b", "Host: h\nX-Trace: 7", "",
        "{\"route\":\"user\",\"operation\":\"read\",\"ids\":{\"name\":\"ann b\"},\"headers\":{\"X-Trace\":\"7\"}}");
    check_call("GET", "/v1/users/ann/notes/7", "", "",
        "{\"route\":\"user.note\",\"operation\":\"read\",\"ids\":{\"user_id\":\"ann\",\"number\":7}}");
    check_call("POST", "/v1/users/ann/notes", "Content-Type: application/json", " {\"text\": \"hi\", \"stars\": 5 } ",
        "{\"route\":\"user.note\",\"operation\":\"create\",\"ids\":{\"user_id\":\"ann\"},"
        "\"body\":{\"text\":\"hi\",\"stars\":5}}");
    check_call("POST", "/v1/users/ann/notes", "content-type: application/json; charset=utf-8", "{\"text\":\"\xC3\xA9\"}",
        "{\"route\":\"user.note\",\"operation\":\"create\",\"ids\":{\"user_id\":\"ann\"},"
        "\"body\":{\"text\":\"\xC3\xA9\"},\"content_type\":\"application/json; charset=utf-8\"}");
    /* Defaults are added; an undeclared parameter keeps its spelling. */
    check_call("GET", "/v1/search?q=a+b&tag[]=x%5B%5D&tag%5B%5D=y&flags[]=1&flags[]=false&free=%25&more[]=1", "X-Depth: 3",
        "", "{\"operation\":\"search\",\"query\":{\"q\":\"a b\",\"limit\":10,\"tag\":[\"x[]\",\"y\"],\"flags\":[true,false]},"
            "\"parameters\":{\"free\":\"%\",\"more\":[\"1\"]},\"headers\":{\"X-Depth\":3}}");
    check_call("GET", "/v1/search?limit=2&q=", "Cookie: theme=dark%21; other=1", "",
        "{\"operation\":\"search\",\"query\":{\"q\":\"\",\"limit\":2},\"headers\":{\"Cookie\":\"other=1\"},\"cookies\":{\"theme\":\"dark!\"}}");
    check_call("HEAD", "/v1/users", "", "", "{\"route\":\"user\",\"operation\":\"list\"}");
    check_call("PUT", "/v1/files/a/b%20c.txt", "Content-Type: text/plain", "hi",
        "{\"operation\":\"file\",\"ids\":{\"path\":\"a/b c.txt\"},\"body_text\":\"hi\",\"content_type\":\"text/plain\"}");
    check_call("PUT", "/v1/files/a", "Content-Type: image/png", "\xFF",
        "{\"operation\":\"file\",\"ids\":{\"path\":\"a\"},\"body_base64\":\"/w==\",\"content_type\":\"image/png\"}");
    check_call("POST", "/v1/send", "Content-Type: application/x-www-form-urlencoded", "a=1&b%5Bc%5D=x+y",
        "{\"operation\":\"send\",\"parameters\":{\"a\":\"1\",\"b[c]\":\"x y\"}}");
}

/* The strings of a form are converted to the types of the body. */
static void forms(void **state)
{
    static const char type[] = "Content-Type: application/x-www-form-urlencoded; charset=utf-8";
    static const char usual[] = "Content-Type: application/x-www-form-urlencoded";
    (void)state;
    check_call("POST", "/v1/form", usual, "open=1&stars=5&tags[]=1&text=5",
        "{\"operation\":\"form\",\"body\":{\"open\":true,\"stars\":5,\"tags\":[\"1\"],\"text\":\"5\"}}");
    check_call("POST", "/v1/form", type, "open=false&text=true",
        "{\"operation\":\"form\",\"body\":{\"open\":false,\"text\":\"true\"},\"content_type\":\"application/x-www-form-urlencoded; charset=utf-8\"}");
    check_call("POST", "/v1/parts", "Content-Type: multipart/form-data; boundary=b",
        "preamble\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"f%22\"; filename=\"n.txt\"\r\nContent-Type: text/plain\r\n\r\n\r\n--x\r\n--b--\r\n",
        "{\"operation\":\"parts\",\"body\":{\"a\":\"x\"},"
        "\"files\":{\"f\\\"\":{\"content\":\"\\r\\n--x\",\"filename\":\"n.txt\",\"content_type\":\"text/plain\"}}}");
}

/* Checks a refusal: the status, the HTTP status, and the pointers of the reasons in order. */
static void check_refusal(
    const char *method, const char *target, const char *headers, const char *body, const routable_receive_options *options,
    routable_status status, int32_t http_status, const char *pointers)
{
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    const routable_error *next;
    char list[512] = "";
    const routable_status got =
        routable_received_new(api, incoming_of(&request, method, target, headers, body), options, &received, &error);
    assert_null(received);
    for (next = error; next; next = routable_error_next(next)) {
        if (next != error)
            strcat(list, " ");
        strcat(list, text_of(routable_error_pointer(next)));
    }
    if (got != status || routable_error_http_status(error) != http_status || strcmp(list, pointers) != 0)
        fail_msg("%s %s\nexpected: %s, %d, [%s]\ngot:      %s, %d, [%s]: %s", method, target, routable_status_name(status),
            http_status, pointers, routable_status_name(got), routable_error_http_status(error), list, message_of(error));
    routable_error_free(error);
}

static void refusals(void **state)
{
    static const char json[] = "Content-Type: application/json";
    (void)state;
    check_refusal("GET", "/v1/nothing", "", "", NULL, ROUTABLE_NO_MATCH, 404, "");
    check_refusal("GET", "/v2/users", "", "", NULL, ROUTABLE_NO_MATCH, 404, "");
    check_refusal("GET", "/v1users", "", "", NULL, ROUTABLE_NO_MATCH, 404, "");
    check_refusal("PATCH", "/v1/users", "", "", NULL, ROUTABLE_METHOD_NOT_ALLOWED, 405, "");
    check_refusal("GET", "users", "", "", NULL, ROUTABLE_ERR_URL, 400, "");
    check_refusal("GET", "/v1/users#a", "", "", NULL, ROUTABLE_ERR_URL, 400, "");
    check_refusal("G T", "/v1/users", "", "", NULL, ROUTABLE_ERR_VALUE, 400, "");
    check_refusal("GET", "/v1/users", "A: b\x01", "", NULL, ROUTABLE_ERR_HEADER, 400, "");
    check_refusal("GET", "/v1/users/%FF", "", "", NULL, ROUTABLE_ERR_VALUE, 422, "/ids/name");
    check_refusal("GET", "/v1/users/%2e%2E", "", "", NULL, ROUTABLE_ERR_VALUE, 422, "/ids/name");
    /* All reasons, in the order of the parts of the request. */
    check_refusal("GET", "/v1/search?limit=x&flags[]=2", "X-Depth: a", "", NULL, ROUTABLE_ERR_PARAMETER, 422,
        "/query /query/limit /query/flags /headers/X-Depth");
    check_refusal("POST", "/v1/users/ann/notes", json, "{\"text\":\"\",\"stars\":9}", NULL, ROUTABLE_ERR_BODY, 422,
        "/body/text /body/stars");
    check_refusal("POST", "/v1/form", "Content-Type: application/x-www-form-urlencoded", "text=&stars=x", NULL,
        ROUTABLE_ERR_BODY, 422, "/body/text /body/stars");
    check_refusal("POST", "/v1/users/ann/notes", json, "{\"text\":", NULL, ROUTABLE_ERR_JSON, 400, "/body");
    check_refusal("POST", "/v1/users/ann/notes", json, "{\"text\":\"a\",\"text\":\"b\"}", NULL, ROUTABLE_ERR_JSON, 400, "/body");
    check_refusal("POST", "/v1/users/ann/notes", "", "", NULL, ROUTABLE_ERR_BODY, 422, "/body");
    check_refusal("POST", "/v1/users/ann/notes", "Content-Type: text/csv", "a", NULL, ROUTABLE_ERR_BODY, 415, "/content_type");
    check_refusal("POST", "/v1/users/ann/notes", "Content-Type: application/json\nContent-Encoding: gzip", "x", NULL,
        ROUTABLE_ERR_BODY, 400, "/body");
    check_refusal("POST", "/v1/users/ann/notes", "Content-Type: application/json\nContent-Encoding: br", "x", NULL,
        ROUTABLE_ERR_BODY, 415, "/content_encoding");
    check_refusal("GET", "/v1/users", json, "{}", NULL, ROUTABLE_ERR_BODY, 422, "/body");
    check_refusal("POST", "/v1/parts", "Content-Type: multipart/form-data; boundary=b", "--b\r\n", NULL, ROUTABLE_ERR_BODY, 422, "/body");
}

/* The object is also empty after a request or options that are not valid. */
static void refused_resets(void **state)
{
    static const routable_header authorization = { ROUTABLE_STR_INIT("Authorization"), ROUTABLE_STR_INIT("Bearer SECRET") };
    routable_incoming good = ROUTABLE_INCOMING_INIT, wrong[4];
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t i;
    (void)state;
    good.method = "GET", good.target = ROUTABLE_STR("/v1/secret"), good.headers = &authorization, good.header_count = 1;
    check_status("secret", routable_received_new(api, &good, NULL, &received, &error), ROUTABLE_OK, error);
    for (i = 0; i < 4; i++) wrong[i] = good;
    wrong[0].method = NULL, wrong[1].target = (routable_str){ NULL, 5 }, wrong[2].size = 3;
    options.flags = 64;
    for (i = 0; i < 5; i++) {
        check_status("secret", routable_received_reset(received, &good, NULL, &error), ROUTABLE_OK, error);
        check_size("credentials", routable_received_credential_count(received), 1);
        assert_int_equal(routable_received_reset(received, i == 4 ? NULL : &wrong[i], i == 3 ? &options : NULL, NULL), ROUTABLE_ERR_ARGUMENT);
        check_size("credentials", routable_received_credential_count(received), 0);
        assert_null(routable_received_operation(received));
    }
    routable_received_free(received);
}

typedef struct verifier {
    size_t calls;
    routable_status status;
} verifier;

static routable_status verify(routable_str scheme, routable_str credential, void *user_data)
{
    verifier *const it = user_data;
    it->calls++;
    check_text("scheme", scheme, "session");
    return it->status != ROUTABLE_OK ? it->status : same_text(credential, "good") ? ROUTABLE_OK : ROUTABLE_ERR_CREDENTIAL;
}

static routable_receive_options verifying(verifier *it)
{
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    options.verify = verify, options.user_data = it;
    return options;
}

static void verified(void **state)
{
    verifier it = { 0, ROUTABLE_OK };
    const routable_receive_options given = verifying(&it);
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    (void)state;
    check_refusal("GET", "/v1/secret", "", "", &given, ROUTABLE_ERR_CREDENTIAL, 401, "");
    check_size("calls", it.calls, 0);
    check_refusal("GET", "/v1/secret", "Authorization: Bearer wrong", "", &given, ROUTABLE_ERR_CREDENTIAL, 401, "");
    check_size("calls", it.calls, 1);
    check_status("good", routable_received_new(api, incoming_of(&request, "GET", "/v1/secret", "Authorization: Bearer good", ""), &given,
        &received, &error), ROUTABLE_OK, error);
    check_size("calls", it.calls, 2);
    check_text("credential", routable_received_credential_at(received, 0), "good");
    /* The function is not called for an operation that requires no credentials. */
    check_status("users", routable_received_reset(received, incoming_of(&request, "GET", "/v1/users", "Authorization: Bearer good", ""), &given, &error),
        ROUTABLE_OK, error);
    check_size("calls", it.calls, 2);
    routable_received_free(received);
    it.status = ROUTABLE_ERR_INTERNAL;
    check_status("failure", routable_received_new(api, incoming_of(&request, "GET", "/v1/secret", "Authorization: Bearer good", ""), &given,
        &received, &error), ROUTABLE_ERR_CALLBACK, error);
    routable_error_free(error);
}

/* Two operations with the same path, distinguished by a constant, share a scheme: each is tried, and the function is called once. */
static void verified_once(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"auth\":{\"session\":{\"scheme\":\"bearer\"}},\"operations\":{"
        "\"one\":{\"get\":\"/do\",\"query\":{\"a\":{\"type\":\"string\",\"enum\":[\"one\"],\"required\":true}},\"auth\":[\"session\"]},"
        "\"two\":{\"get\":\"/do\",\"query\":{\"a\":{\"type\":\"string\",\"enum\":[\"two\"],\"required\":true}},\"auth\":[\"session\"]}}}");
    verifier it = { 0, ROUTABLE_OK };
    const routable_receive_options given = verifying(&it);
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("two", routable_received_new(router, incoming_of(&request, "GET", "/do?a=two", "Authorization: Bearer good", ""), &given, &received,
        &error), ROUTABLE_OK, error);
    check_text("operation", routable_operation_name(routable_received_operation(received)), "two");
    check_size("calls", it.calls, 1);
    routable_received_free(received);
    routable_router_free(router);
}

/* An operation whose schemes the description does not declare refuses every client. */
static void unknown_scheme(void **state)
{
    routable_router *const router = open_text(
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h\"}],\"paths\":{\"/a\":{\"get\":{"
        "\"operationId\":\"a\",\"security\":[{\"nobody\":[]}],\"responses\":{\"200\":{\"description\":\"a\"}}}},"
        "\"/b\":{\"get\":{\"operationId\":\"b\",\"security\":[{\"nobody\":[]},{}],\"responses\":{\"200\":{\"description\":\"b\"}}}}}}");
    routable_receive_options given = ROUTABLE_RECEIVE_OPTIONS_INIT;
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t turn;
    (void)state;
    given.flags = ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS;
    for (turn = 0; turn < 2; turn++) {
        check_status("a", routable_received_new(router, incoming_of(&request, "GET", "/a", "Authorization: Bearer x", ""), &given, &received, &error),
            ROUTABLE_ERR_CREDENTIAL, error);
        check_size("status", (size_t)routable_error_http_status(error), 401);
        routable_error_free(error);
        error = NULL;
        check_status("b", routable_received_new(router, incoming_of(&request, "GET", "/b", "", ""), &given, &received, &error), ROUTABLE_OK, error);
        routable_received_free(received);
        received = NULL;
        /* A program that does not require credentials reads the request, which prepares the data for the next one. */
        check_status("a", routable_received_new(router, incoming_of(&request, "GET", "/a", "", ""), NULL, &received, &error), ROUTABLE_OK, error);
        routable_received_free(received);
        received = NULL;
    }
    routable_router_free(router);
}

/* The key of a security scheme, which a call can pass as a parameter, is only read as a credential, in both ways of reading. */
static void key_of_scheme(void **state)
{
    routable_router *const router = open_text(
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h\"}],"
        "\"components\":{\"securitySchemes\":{\"app\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-Key\"}}},"
        "\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\",\"security\":[{\"app\":[]}],\"responses\":{}}}}}");
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t turn;
    (void)state;
    check_status("new", routable_received_new(router, incoming_of(&request, "GET", "/a", "X-Key: T", ""), NULL, &received, &error), ROUTABLE_OK, error);
    for (turn = 0; turn < 2; turn++) {
        check_size("values", routable_received_value_count(received), 0);
        check_text("key", routable_received_credential_at(received, 0), "T");
        check_status("reset", routable_received_reset(received, incoming_of(&request, "GET", "/a", "X-Key: T", ""), NULL, &error), ROUTABLE_OK, error);
    }
    routable_received_free(received);
    routable_router_free(router);
}

/* The fields of a request have a common limit, also if each is small, in both ways of reading. */
static void large_headers(void **state)
{
    static char value[160000];
    static char names[64][8];
    static routable_header headers[64];
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t i, count, size;
    (void)state;
    memset(value, 'v', sizeof value);
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/v1/users"), incoming.headers = headers;
    check_status("first", routable_received_new(api, &incoming, NULL, &received, &error), ROUTABLE_OK, error);
    for (count = 1; count <= 64; count++) {
        for (i = 0, size = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "X-%zu", i);
            headers[i].name = routable_str_from(names[i]);
            headers[i].value = routable_str_from_bytes(value, sizeof value);
            size += strlen(names[i]) + sizeof value;
        }
        incoming.header_count = count;
        check_status("fields", routable_received_reset(received, &incoming, NULL, &error), size <= 8 * 1024 * 1024 ? ROUTABLE_OK : ROUTABLE_ERR_LIMIT, error);
        routable_error_free(error);
        error = NULL;
    }
    routable_received_free(received);
}

static void options(void **state)
{
    routable_receive_options given = ROUTABLE_RECEIVE_OPTIONS_INIT;
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    (void)state;
    given.max_errors = 2;
    check_refusal("GET", "/v1/search?limit=x&flags[]=2", "", "", &given, ROUTABLE_ERR_PARAMETER, 422, "/query /query/limit");
    given.max_body_bytes = 3;
    check_refusal("PUT", "/v1/files/a", "", "four", &given, ROUTABLE_ERR_LIMIT, 413, "/body");
    /* Content-Length announces a body that is not yet read. */
    check_refusal("PUT", "/v1/files/a", "Content-Length: 4", "", &given, ROUTABLE_ERR_LIMIT, 413, "/body");
    check_refusal("GET", "/v1/users", "Content-Length: 4", "", &given, ROUTABLE_ERR_LIMIT, 413, "/body");
    check_refusal("GET", "/v1/users", "Content-Length: 99999999999999999999", "", &given, ROUTABLE_ERR_LIMIT, 413, "/body");
    check_status("announced", routable_received_new(api, incoming_of(&request, "PUT", "/v1/files/a", "Content-Length: 3", ""), &given, &received,
        &error), ROUTABLE_OK, error);
    routable_received_free(received);
    received = NULL;
    given = (routable_receive_options)ROUTABLE_RECEIVE_OPTIONS_INIT;
    given.base_path = "/gateway/v9/";
    check_refusal("GET", "/v1/users", "", "", &given, ROUTABLE_NO_MATCH, 404, "");
    check_status("base_path", routable_received_new(api, incoming_of(&request, "GET", "/gateway/v9/users", "", ""), &given, &received, &error),
        ROUTABLE_OK, error);
    given.base_path = "";
    check_status("base_path", routable_received_reset(received, incoming_of(&request, "GET", "/users", "", ""), &given, &error),
        ROUTABLE_OK, error);
    given.base_path = "https://h/a";
    check_status("base_path", routable_received_reset(received, incoming_of(&request, "GET", "/users", "", ""), &given, &error),
        ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    given = (routable_receive_options)ROUTABLE_RECEIVE_OPTIONS_INIT;
    check_status("ignored", routable_received_reset(received, incoming_of(&request, "POST", "/v1/send?a=1&b=2&a=3", "", ""), &given, &error),
        ROUTABLE_OK, error);
    assert_int_equal(routable_received_ignored_count(received), 2);
    check_text("ignored", routable_received_ignored_at(received, 0), "a");
    check_text("ignored", routable_received_ignored_at(received, 1), "b");
    check_text("ignored", routable_received_ignored_at(received, 2), "");
    given.flags = ROUTABLE_RECEIVE_REFUSE_UNDECLARED;
    check_refusal("POST", "/v1/send?a=1", "", "", &given, ROUTABLE_ERR_PARAMETER, 422, "");
    given.flags = 4;
    check_refusal("POST", "/v1/send", "", "", &given, ROUTABLE_ERR_ARGUMENT, 0, "");
    routable_received_free(received);
}

static void credentials(void **state)
{
    routable_receive_options given = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_received *received = receive("GET", "/v1/secret?api_key=k", "Authorization: bearer  abc", "");
    (void)state;
    assert_int_equal(routable_received_credential_count(received), 1);
    check_text("scheme", routable_received_credential_scheme_at(received, 0), "session");
    check_text("token", routable_received_credential_at(received, 0), "abc");
    assert_int_equal(routable_received_value_count(received), 0); /* a credential is not a header of the call */
    routable_received_free(received);
    received = receive("GET", "/v1/either?api_key=k%20k", "Authorization: Basic YW5uOnB3", "");
    assert_int_equal(routable_received_credential_count(received), 2);
    check_text("login", routable_received_credential_at(received, 0), "ann:pw");
    check_text("key", routable_received_credential_at(received, 1), "k k");
    routable_received_free(received);
    given.flags = ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS;
    check_refusal("GET", "/v1/secret", "", "", &given, ROUTABLE_ERR_CREDENTIAL, 401, "");
    check_refusal("GET", "/v1/secret", "Authorization: Basic YW5uOnB3", "", &given, ROUTABLE_ERR_CREDENTIAL, 401, "");
    check_refusal("GET", "/v1/either?api_key=k", "", "", &given, ROUTABLE_ERR_CREDENTIAL, 401, "");
}

/* Values by location and name, and the body as JSON. */
static void accessors(void **state)
{
    routable_received *received = receive("GET", "/v1/search?q=a&tag[]=x", "X-Depth: -4\nX-Other: o", "");
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    routable_received_item item;
    routable_value value = routable_received_value(received, ROUTABLE_IN_QUERY, "limit");
    request_text request;
    (void)state;
    check_text("route", routable_received_route(received), "");
    check_text("operation", routable_operation_name(routable_received_operation(received)), "search");
    assert_int_equal(value.kind, ROUTABLE_KIND_INTEGER);
    assert_int_equal(value.as.integer, 10);
    value = routable_received_value(received, ROUTABLE_IN_HEADER, "x-depth");
    assert_int_equal(value.as.integer, -4);
    value = routable_received_value(received, ROUTABLE_IN_QUERY, "tag");
    assert_int_equal(value.kind, ROUTABLE_KIND_JSON);
    check_text("tag", value.as.string, "[\"x\"]");
    assert_int_equal(routable_received_value(received, ROUTABLE_IN_QUERY, "x-depth").kind, ROUTABLE_KIND_NULL);
    assert_int_equal(routable_received_value_count(received), 5);
    item = routable_received_value_at(received, 4);
    assert_int_equal(item.location, ROUTABLE_IN_HEADER);
    check_text("name", item.name, "X-Other");
    check_text("value", item.value.as.string, "o");
    check_text("name", routable_received_value_at(received, 5).name, "");
    assert_int_equal(routable_received_json_value(received, &json, &error), ROUTABLE_NO_MATCH);
    check_status("reset",
        routable_received_reset(received,
            incoming_of(&request, "POST", "/v1/form", "Content-Type: application/x-www-form-urlencoded", "text=a&stars=4"), NULL, &error),
        ROUTABLE_OK, error);
    check_text("body", routable_received_body(received), "text=a&stars=4");
    check_text("type", routable_received_content_type(received), "application/x-www-form-urlencoded");
    check_status("json", routable_received_json_value(received, &json, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_json_integer(json, routable_json_at(json, ROUTABLE_STR("/stars"))), 4);
    routable_json_values_free(json);
    /* After a refusal, the object contains nothing of an earlier request. */
    assert_int_equal(
        routable_received_reset(received, incoming_of(&request, "POST", "/v1/form", "", ""), NULL, &error), ROUTABLE_ERR_BODY);
    routable_error_free(error);
    assert_null(routable_received_operation(received));
    check_text("body", routable_received_body(received), "");
    assert_int_equal(routable_received_value_count(received), 0);
    routable_received_free(received);
}

/* Checks the response to a refused request: a problem document, and the header that the status requires. */
static void check_problem(
    const char *method, const char *target, const char *headers, const char *body, uint32_t flags, int32_t http_status, const char *field,
    const char *value, const char *expected)
{
    routable_receive_options given = ROUTABLE_RECEIVE_OPTIONS_INIT;
    request_text request;
    routable_received *received = NULL;
    routable_error *error = NULL;
    routable_string name = ROUTABLE_STRING_INIT, text = ROUTABLE_STRING_INIT, json = ROUTABLE_STRING_INIT;
    int32_t got = 0;
    given.flags = ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS;
    assert_int_not_equal(
        routable_received_new(api, incoming_of(&request, method, target, headers, body), &given, &received, &error), ROUTABLE_OK);
    assert_int_equal(routable_error_problem(error, flags, &got, &name, &text, &json), ROUTABLE_OK);
    assert_int_equal(got, http_status);
    check_text(target, routable_str_from_bytes(name.ptr, name.len), field);
    check_text(target, routable_str_from_bytes(text.ptr, text.len), value);
    check_text(target, routable_str_from_bytes(json.ptr, json.len), expected);
    routable_string_free(&name);
    routable_string_free(&text);
    routable_string_free(&json);
    assert_int_equal(routable_error_problem(error, flags, NULL, NULL, NULL, &json), ROUTABLE_OK);
    check_text(target, routable_str_from_bytes(json.ptr, json.len), expected);
    routable_string_free(&json);
    routable_error_free(error);
}

static void problems(void **state)
{
    routable_error *error = NULL;
    routable_router *none = NULL;
    routable_string json = ROUTABLE_STRING_INIT;
    int32_t http_status = 0;
    (void)state;
    check_problem("GET", "/v1/search?limit=x", "", "", 0, 422, "", "",
        "{\"type\":\"about:blank\",\"title\":\"Unprocessable Content\",\"status\":422,"
        "\"detail\":\"search: the query parameter q is required\",\"errors\":["
        "{\"detail\":\"search: the query parameter q is required\",\"parameter\":\"q\",\"in\":\"query\"},"
        "{\"detail\":\"search: invalid value of limit: an integer is expected\",\"parameter\":\"limit\",\"in\":\"query\"}]}");
    check_problem("POST", "/v1/form", "Content-Type: application/x-www-form-urlencoded", "text=", ROUTABLE_PROBLEM_400, 400, "", "",
        "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
        "\"detail\":\"/text does not match its type: at least 1 character is expected, not 0\",\"errors\":["
        "{\"detail\":\"/text does not match its type: at least 1 character is expected, not 0\",\"pointer\":\"/text\"}]}");
    check_problem("PATCH", "/v1/users/ann/notes", "", "", 0, 405, "Allow", "GET, HEAD, POST",
        "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,"
        "\"detail\":\"the path of the request has no method PATCH; allowed: GET, HEAD, POST\",\"errors\":["
        "{\"detail\":\"the path of the request has no method PATCH; allowed: GET, HEAD, POST\"}]}");
    check_problem("GET", "/v1/either", "", "", 0, 401, "WWW-Authenticate", "Basic realm=\"service\", charset=\"UTF-8\", Bearer realm=\"service\", ApiKey realm=\"service\"",
        "{\"type\":\"about:blank\",\"title\":\"Unauthorized\",\"status\":401,"
        "\"detail\":\"either: a credential is required: login, or session and key\",\"errors\":["
        "{\"detail\":\"either: a credential is required: login, or session and key\"}]}");
    /* An error that the request did not cause is not disclosed. */
    assert_int_equal(routable_router_open("{", 1, NULL, &none, &error), ROUTABLE_ERR_JSON);
    assert_int_equal(routable_error_problem(error, 0, &http_status, NULL, NULL, &json), ROUTABLE_OK);
    assert_int_equal(http_status, 500);
    check_text("500", routable_str_from_bytes(json.ptr, json.len),
        "{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500}");
    routable_string_free(&json);
    assert_int_equal(routable_error_problem(error, 2, &http_status, NULL, NULL, &json), ROUTABLE_ERR_ARGUMENT);
    assert_null(json.ptr);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(calls), cmocka_unit_test(forms), cmocka_unit_test(refusals),
        cmocka_unit_test(options), cmocka_unit_test(refused_resets), cmocka_unit_test(verified), cmocka_unit_test(verified_once),
        cmocka_unit_test(unknown_scheme), cmocka_unit_test(key_of_scheme), cmocka_unit_test(large_headers), cmocka_unit_test(credentials), cmocka_unit_test(accessors),
        cmocka_unit_test(problems) };
    return cmocka_run_group_tests(tests, open_api, close_api);
}
