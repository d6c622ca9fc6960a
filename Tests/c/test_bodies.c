/* Request bodies that are not in memory: sent from callbacks, files and the parts of a form. */
#include "sources.h"

static void a_source(void **state)
{
    static const struct { int64_t length; const char *chunked, *more; } rows[] = {
        { sizeof lorem - 1, "false", "" }, { -1, "true", ", \"expect\": \"100-continue\"" } };
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < 2; i++) {
            given it = { lorem, sizeof lorem - 1, 0, 10, 0, 0, 0, 0, 0 };
            char body[512], expected[512];
            routable_request *const request = request_of("put", "hash");
            set_source(request, &it, rows[i].length, 0);
            assert_int_equal(routable_request_has_body(request), 2);
            check_text("a streamed body", routable_request_body(request), "");
            assert_int_equal(perform_as(submitted, request, NULL, NULL, body, sizeof body), ROUTABLE_OK);
            snprintf(expected, sizeof expected, "{\"length\": 55, \"sha256\": "
                "\"599403350f9a8a85a236cb83d5b631f2d6e72068ba1d6cb094cd78b11cfdbe05\", \"chunked\": %s, \"type\": \"text/plain\", \"method\": \"PUT\"%s}", rows[i].chunked, rows[i].more);
            assert_string_equal(body, expected);
            assert_int_equal(it.released, 1);
            assert_int_equal(it.rewinds, 0);
        }
}

/* The body is rewound for a redirect and for a retry; a body that cannot be rewound is not sent again. */
static void a_source_is_repeated_only_when_it_can_be(void **state)
{
    static const struct { const char *path; int can_rewind; routable_status status; int32_t http_status; int rewinds; } rows[] = {
        { "moved/307/hash", 1, ROUTABLE_OK, 200, 1 },
        { "moved/307/hash", 0, ROUTABLE_ERR_BODY, 0, 0 },
        { "moved/303/hash", 0, ROUTABLE_OK, 200, 0 }, /* GET without the body */
        { "flaky-hash/a%/2", 1, ROUTABLE_OK, 200, 2 },
        { "flaky-hash/b%/2", 0, ROUTABLE_ERR_HTTP_STATUS, 503, 0 },
        { "faults/nothing", 0, ROUTABLE_ERR_TRANSFER, 0, 0 },
        { "faults/nothing", 1, ROUTABLE_ERR_TRANSFER, 0, -2 }, /* libcurl itself repeats a request on a reused connection */
    };
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            given it = { lorem, sizeof lorem - 1, 0, 100, 0, 0, 0, 0, 0 };
            char path[64], body[512], *mark;
            int32_t http_status;
            routable_status status;
            routable_request *request;
            snprintf(path, sizeof path, "%s", rows[i].path);
            if ((mark = strchr(path, '%')))
                *mark = (char)('0' + submitted);
            request = request_of("put", path);
            set_source(request, &it, -1, rows[i].can_rewind);
            status = perform_as(submitted, request, NULL, &http_status, body, sizeof body);
            if (status != rows[i].status || http_status != rows[i].http_status)
                print_error("%s: %s, HTTP %d, %d rewinds: %s\n", path, routable_status_name(status), (int)http_status, it.rewinds, body);
            assert_int_equal(status, rows[i].status);
            assert_int_equal(http_status, rows[i].http_status);
            if (rows[i].rewinds < 0)
                assert_true(it.rewinds >= 2);
            else
                assert_int_equal(it.rewinds, rows[i].rewinds);
            assert_int_equal(it.released, 1);
        }
}

static void a_source_that_fails(void **state)
{
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        given it = { lorem, sizeof lorem - 1, 0, 10, 0, 0, 0, 20, 0 };
        given shorter = { lorem, 20, 0, 10, 0, 0, 0, 0, 0 };
        char body[512];
        routable_request *request = request_of("put", "hash");
        set_source(request, &it, -1, 1);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, body, sizeof body), ROUTABLE_ERR_CALLBACK);
        assert_int_equal(it.rewinds, 0); /* it is not retried */
        assert_int_equal(it.released, 1);
        request = request_of("put", "hash");
        set_source(request, &shorter, 30, 1);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, body, sizeof body), ROUTABLE_ERR_BODY);
        check_contains("short", routable_str_from(body), "ended after 20 of 30 bytes");
        assert_int_equal(shorter.released, 1);
    }
}

/* The source returns "not now": the transfer waits until it is resumed.  A blocking call cannot be resumed, and fails. */
static void a_source_that_waits(void **state)
{
    given it = { lorem, sizeof lorem - 1, 0, 10, 0, 0, 0, 0, 3 };
    routable_request *request = request_of("put", "hash");
    routable_transfer *transfer = NULL;
    routable_response *response = NULL;
    int i;
    (void)state;
    set_source(request, &it, -1, 0);
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    routable_request_free(request);
    for (i = 0; i < 200 && it.reads < 3; i++)
        assert_int_equal(routable_client_drive(client, 100, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(it.reads, 3);
    assert_int_equal(routable_transfer_wait(transfer, 50, NULL), ROUTABLE_PENDING);
    assert_int_equal(it.reads, 3); /* the transfer does not poll */
    assert_int_equal(routable_transfer_resume(transfer), 1);
    assert_int_equal(routable_transfer_wait(transfer, 20000, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_result(transfer, &response, NULL), ROUTABLE_OK);
    check_contains("resumed", routable_response_body(response), "\"length\": 55");
    assert_int_equal(routable_transfer_resume(transfer), 0);
    routable_response_free(response);
    routable_transfer_free(transfer);
    it.place = 0;
    it.reads = 2;
    request = request_of("put", "hash");
    set_source(request, &it, -1, 0);
    assert_int_equal(perform_as(0, request, NULL, NULL, NULL, 0), ROUTABLE_ERR_CALLBACK);
    assert_int_equal(it.released, 2);
}

static void a_file(void **state)
{
    const char *const path = path_in_folder("big.json");
    const size_t size = 3000000;
    char *const bytes = (char *)malloc(size);
    char body[512], key[64];
    int submitted, round;
    (void)state;
    memset(bytes, 'x', size);
    write_bytes(path, bytes, size);
    for (submitted = 0; submitted < 2; submitted++)
        for (round = 0; round < 3; round++) {
            routable_request *request;
            routable_error *error = NULL;
            snprintf(key, sizeof key, round == 1 ? "flaky-hash/file%d/1" : round == 2 ? "moved/308/hash" : "hash", submitted);
            request = request_of("put", key);
            check_status("file", routable_request_set_body_file(request, path, NULL, &error), ROUTABLE_OK, error);
            assert_int_equal(perform_as(submitted, request, NULL, NULL, body, sizeof body), ROUTABLE_OK);
            check_contains(key, routable_str_from(body), "\"length\": 3000000, \"sha256\": ");
            check_contains(key, routable_str_from(body), "\"chunked\": false, \"type\": \"application/json\"");
        }
    free(bytes);
}

static void a_file_that_does_not_do(void **state)
{
    const char *const path = path_in_folder("gone.txt");
    char body[512];
    routable_request *request = request_of("put", "hash");
    routable_error *error = NULL;
    (void)state;
    check_status("none", routable_request_set_body_file(request, path, NULL, &error), ROUTABLE_ERR_FILE, error);
    routable_error_free(error);
    check_status("folder", routable_request_set_body_file(request, folder, NULL, &error), ROUTABLE_ERR_FILE, error);
    routable_error_free(error);
    check_status("empty", routable_request_set_body_file(request, "", NULL, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    assert_int_equal(routable_request_has_body(request), 0);
    write_bytes(path, "a", 1);
    assert_int_equal(routable_request_set_body_file(request, path, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(remove(path), 0); /* the file is removed before it is sent */
    assert_int_equal(perform_as(1, request, NULL, NULL, body, sizeof body), ROUTABLE_ERR_FILE);
    check_contains("gone", routable_str_from(body), "gone.txt cannot be read: No such file or directory");
}

static void headers_of_a_streamed_body(void **state)
{
    given it = { lorem, sizeof lorem - 1, 0, 10, 0, 0, 0, 0, 0 };
    routable_request *request = request_of("put", "hash");
    routable_string text = { NULL, 0 };
    (void)state;
    set_source(request, &it, -1, 0);
    assert_int_equal(routable_request_to_curl(request, 0, &text, NULL), ROUTABLE_OK);
    check_contains("curl", text_in(text), "--data-binary '@-'");
    routable_string_free(&text);
    assert_int_equal(routable_request_to_json(request, &text, NULL), ROUTABLE_OK);
    check_contains("json", text_in(text), "\"body_streamed\":true");
    routable_string_free(&text);
    assert_int_equal(routable_request_set_header(request, "Content-Length", routable_str_from("3"), NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(0, request, NULL, NULL, NULL, 0), ROUTABLE_ERR_HEADER);
    assert_int_equal(it.reads, 0);
    assert_int_equal(it.released, 1);
    /* Another body replaces the file. */
    request = request_of("put", "hash");
    set_source(request, &it, -1, 0);
    assert_int_equal(routable_request_set_body(request, routable_str_from("abc"), NULL, NULL), ROUTABLE_OK);
    assert_int_equal(it.released, 2);
    set_source(request, &it, -1, 0);
    assert_int_equal(routable_request_remove_body(request, NULL), ROUTABLE_OK);
    assert_int_equal(it.released, 3);
    assert_int_equal(routable_request_has_body(request), 0);
    routable_request_free(request);
}

/* --- Expect: 100-continue --- */

/* Sent before a streamed body that is larger than 1 MiB, or whose length is not known; never before one in
 * memory.  A service that does not respond to it costs half a second, one that responds with 417 gets the body immediately, one
 * that refuses the request gets no byte of the body. */
static void asks_before_a_large_body(void **state)
{
    static const struct { const char *path; size_t size; int64_t length; const char *expect; const char *header; int64_t least, most; int reads; int32_t http_status; } rows[] = {
        { "hash", 1000, 0, "", NULL, 0, 400, 1, 200 },
        { "hash", 1000, -1, "100-continue", NULL, 0, 400, 1, 200 },
        { "hash", 3 << 20, 0, "100-continue", NULL, 0, 400, 1, 200 },
        { "hash", 3 << 20, 0, "", "", 0, 400, 1, 200 },               /* suppressed */
        { "hash", 1000, 0, "100-continue", "100-continue", 0, 400, 1, 200 },
        { "silent/hash", 3 << 20, 0, "100-continue", NULL, 400, 5000, 1, 200 },
        { "silent/hash", 3 << 20, 0, "", "", 0, 400, 1, 200 },
        { "early/401", 3 << 20, 0, NULL, NULL, 0, 400, 0, 401 },      /* no byte of the body is read */
        { "unfulfilled/hash", 3 << 20, 0, "", NULL, 0, 400, 1, 200 }, /* refused, and sent without it; libcurl 7.88 then never sends it again with this handle */
    };
    char *const text = (char *)malloc(3 << 20);
    int submitted;
    size_t i;
    (void)state;
    memset(text, 'x', 3 << 20);
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            given it = { text, rows[i].size, 0, 65536, 0, 0, 0, 0, 0 };
            char body[512], expected[64];
            int32_t http_status;
            routable_request *const request = request_of("put", rows[i].path);
            int64_t begun;
            set_source(request, &it, rows[i].length ? rows[i].length : (int64_t)rows[i].size, 0);
            if (rows[i].header)
                assert_int_equal(routable_request_set_header(request, "Expect", routable_str_from(rows[i].header), NULL), ROUTABLE_OK);
            begun = milliseconds();
            perform_as(submitted, request, NULL, &http_status, body, sizeof body);
            begun = milliseconds() - begun;
            if (http_status != rows[i].http_status || begun < rows[i].least || begun > rows[i].most)
                print_error("%s, row %zu: %d after %d ms: %s\n", rows[i].path, i, (int)http_status, (int)begun, body);
            assert_int_equal(http_status, rows[i].http_status);
            assert_true(begun >= rows[i].least && begun <= rows[i].most);
            if ((it.reads > 0) != rows[i].reads)
                print_error("%s, row %zu: %d reads, %zu bytes\n", rows[i].path, i, it.reads, it.place);
            assert_int_equal(it.reads > 0, rows[i].reads);
            snprintf(expected, sizeof expected, "{\"length\": %zu,", rows[i].size);
            if (http_status == 200)
                check_contains(rows[i].path, routable_str_from(body), expected);
            snprintf(expected, sizeof expected, "\"expect\": \"%s\"", rows[i].expect ? rows[i].expect : "");
            if (rows[i].expect && *rows[i].expect)
                check_contains(rows[i].path, routable_str_from(body), expected);
            else
                assert_null(strstr(body, "\"expect\""));
        }
    for (submitted = 0; submitted < 2; submitted++) {
        char body[512];
        routable_request *const request = request_of("put", "hash");
        routable_str memory;
        memory.ptr = text;
        memory.len = 3 << 20;
        assert_int_equal(routable_request_set_body(request, memory, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, body, sizeof body), ROUTABLE_OK);
        check_contains("in memory", routable_str_from(body), "{\"length\": 3145728,");
        assert_null(strstr(body, "\"expect\""));
    }
    free(text);
}

/* --- Parts --- */

/* The boundary of the Content-Type; empty if there is none. */
static const char *boundary_of(const routable_request *request)
{
    const char *const type = header_of(request, "Content-Type");
    const char *const mark = type ? strstr(type, "; boundary=") : NULL;
    assert_non_null(mark);
    return mark + strlen("; boundary=");
}

static void parts_in_memory(void **state)
{
    routable_part parts[2] = { ROUTABLE_PART_INIT, ROUTABLE_PART_INIT };
    routable_request *const request = request_of("post", "hash");
    routable_error *error = NULL;
    char expected[1024];
    (void)state;
    parts[0].name = routable_str_from("a\"b\r\nc");
    parts[0].content = routable_str_from("1\n2");
    parts[1].name = routable_str_from("file");
    parts[1].content = routable_str_from("{}");
    parts[1].filename = "x\".json";
    check_status("parts", routable_request_set_multipart(request, parts, 2, 0, &error), ROUTABLE_OK, error);
    snprintf(expected, sizeof expected,
        "--%s\r\nContent-Disposition: form-data; name=\"a%%22b%%0D%%0Ac\"\r\n\r\n1\n2\r\n"
        "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x%%22.json\"\r\nContent-Type: application/json\r\n\r\n{}\r\n"
        "--%s--\r\n", boundary_of(request), boundary_of(request), boundary_of(request));
    check_text("parts", routable_request_body(request), expected);
    check_status("html", routable_request_set_multipart(request, parts, 1, ROUTABLE_MULTIPART_HTML, &error), ROUTABLE_OK, error);
    check_contains("html", routable_request_body(request), "\r\n\r\n1\r\n2\r\n--");
    check_status("flags", routable_request_set_multipart(request, parts, 1, 8, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    parts[1].name = routable_str_from("a\001");
    check_status("control", routable_request_set_multipart(request, parts, 2, 0, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    parts[1].name = routable_str_from("a");
    parts[1].content_type = "a\nb: c";
    check_status("type", routable_request_set_multipart(request, parts, 2, 0, &error), ROUTABLE_ERR_HEADER, error);
    routable_error_free(error);
    parts[1].content_type = " \t";
    check_status("blank", routable_request_set_multipart(request, parts, 2, 0, &error), ROUTABLE_ERR_HEADER, error);
    routable_error_free(error);
    routable_request_free(request);
}

/* A part that contains the boundary of the same parts: another boundary is chosen. */
static void a_boundary_that_occurs_nowhere(void **state)
{
    routable_part part = ROUTABLE_PART_INIT;
    routable_request *const request = request_of("post", "hash");
    char content[256] = "", last[64] = "";
    int i;
    (void)state;
    part.name = routable_str_from("a");
    for (i = 0; i < 5; i++) {
        part.content = routable_str_from(content);
        assert_int_equal(routable_request_set_multipart(request, &part, 1, 0, NULL), ROUTABLE_OK);
        assert_null(strstr(content, boundary_of(request)));
        assert_string_not_equal(last, boundary_of(request));
        snprintf(last, sizeof last, "%s", boundary_of(request));
        snprintf(content, sizeof content, "--%s--", last);
    }
    routable_request_free(request);
}

static void parts_from_files_and_sources(void **state)
{
    const char *const path = path_in_folder("unicorn.png");
    routable_part parts[3] = { ROUTABLE_PART_INIT, ROUTABLE_PART_INIT, ROUTABLE_PART_INIT };
    routable_source source = ROUTABLE_SOURCE_INIT;
    given it = { lorem, sizeof lorem - 1, 0, 7, 0, 0, 0, 0, 0 };
    char body[4096], boundary[128], expected[1024];
    routable_request *request;
    json_t *echoed;
    routable_string line = { NULL, 0 };
    (void)state;
    write_bytes(path, "picture", 7);
    source.read = give;
    source.release = released;
    source.user_data = &it;
    parts[0].name = routable_str_from("lorem");
    parts[0].content = routable_str_from("Lorem ipsum.");
    parts[1].name = routable_str_from("unicorn");
    parts[1].file = path;
    parts[2].name = routable_str_from("rainbow");
    parts[2].source = &source;
    parts[2].filename = "rainbow.jpg";
    request = request_of("post", "echo");
    assert_int_equal(routable_request_set_multipart(request, parts, 3, 0, NULL), ROUTABLE_OK);
    snprintf(boundary, sizeof boundary, "%s", boundary_of(request));
    assert_int_equal(routable_request_to_curl(request, 0, &line, NULL), ROUTABLE_OK);
    check_contains("curl", text_in(line), "--form 'lorem=\"Lorem ipsum.\"'");
    check_contains("curl", text_in(line), "unicorn.png\";type=image/png;filename=\"unicorn.png\"'");
    assert_null(strstr(line.ptr, "boundary"));
    routable_string_free(&line);
    assert_int_equal(perform_as(0, request, NULL, NULL, body, sizeof body), ROUTABLE_OK);
    echoed = json_loads(body, 0, NULL);
    snprintf(expected, sizeof expected,
        "--%s\r\nContent-Disposition: form-data; name=\"lorem\"\r\n\r\nLorem ipsum.\r\n"
        "--%s\r\nContent-Disposition: form-data; name=\"unicorn\"; filename=\"unicorn.png\"\r\nContent-Type: image/png\r\n\r\npicture\r\n"
        "--%s\r\nContent-Disposition: form-data; name=\"rainbow\"; filename=\"rainbow.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n%s\r\n"
        "--%s--\r\n", boundary, boundary, boundary, lorem, boundary);
    assert_string_equal(json_string_value(json_object_get(echoed, "body")), expected);
    json_decref(echoed);
    assert_int_equal(it.released, 1);
    /* A call that fails also releases its arguments. */
    request = request_of("post", "echo");
    parts[1].file = "/nowhere";
    assert_int_equal(routable_request_set_multipart(request, parts, 3, 0, NULL), ROUTABLE_ERR_FILE);
    assert_int_equal(it.released, 2);
    routable_request_free(request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source),
        cmocka_unit_test(a_source_is_repeated_only_when_it_can_be),
        cmocka_unit_test(a_source_that_fails),
        cmocka_unit_test(a_source_that_waits),
        cmocka_unit_test(a_file),
        cmocka_unit_test(a_file_that_does_not_do),
        cmocka_unit_test(headers_of_a_streamed_body),
        cmocka_unit_test(asks_before_a_large_body),
        cmocka_unit_test(parts_in_memory),
        cmocka_unit_test(a_boundary_that_occurs_nowhere),
        cmocka_unit_test(parts_from_files_and_sources),
    };
    return cmocka_run_group_tests_name("bodies", tests, start_bodies, stop_bodies);
}
