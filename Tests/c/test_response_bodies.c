/* Response bodies that are received by callbacks, descriptors and files; progress and pause. */
#include "sources.h"

/* --- Callbacks and descriptors --- */

typedef struct kept {
    char bytes[4096];
    size_t count;
    int calls, released, wait_at, fail_at;
} kept;

static routable_status keep(routable_str bytes, void *user_data)
{
    kept *const it = (kept *)user_data;
    it->calls++;
    if (it->wait_at == it->calls)
        return ROUTABLE_PENDING;
    if (it->fail_at == it->calls)
        return ROUTABLE_ERR_INTERNAL;
    if (it->count + bytes.len < sizeof it->bytes)
        memcpy(it->bytes + it->count, bytes.ptr, bytes.len);
    it->count += bytes.len;
    return ROUTABLE_OK;
}

static void kept_released(void *user_data) { ((kept *)user_data)->released++; }

static routable_request *keeping(const char *path, kept *it)
{
    routable_request *const request = request_of("get", path);
    routable_target target = ROUTABLE_TARGET_INIT;
    routable_error *error = NULL;
    target.write = keep;
    target.release = kept_released;
    target.user_data = it;
    check_status("target", routable_request_set_target(request, &target, &error), ROUTABLE_OK, error);
    return request;
}

static void into_a_function(void **state)
{
    static const struct { const char *path; routable_status status; int32_t http_status; size_t count; const char *body; } rows[] = {
        { "faults/ok", ROUTABLE_OK, 200, 12, "" },
        { "faults/redirect", ROUTABLE_OK, 200, 12, "" },
        { "file/f%/100000/strong/0", ROUTABLE_OK, 200, 100000, "" },
        { "faults/no-content", ROUTABLE_OK, 204, 0, "" },
        { "faults/not-found", ROUTABLE_ERR_HTTP_STATUS, 404, 0, "404" }, /* in memory, as without a target */
        { "faults/close-early", ROUTABLE_ERR_TRANSFER, 0, 12, "ended early" }, /* and not retried */
    };
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            kept it = { "", 0, 0, 0, 0, 0 };
            char body[512];
            int32_t http_status;
            const routable_status status =
                perform_as(submitted, keeping(rows[i].path, &it), NULL, &http_status, body, sizeof body);
            if (status != rows[i].status || it.count != rows[i].count)
                print_error("%s: %s, %zu bytes: %s\n", rows[i].path, routable_status_name(status), it.count, body);
            assert_int_equal(status, rows[i].status);
            assert_int_equal(http_status, rows[i].http_status);
            assert_int_equal(it.count, rows[i].count);
            assert_non_null(strstr(body, rows[i].body));
            assert_int_equal(it.released, 1);
        }
}

/* A body that is not in memory is not validated against its type. */
static void of_a_typed_operation(void **state)
{
    kept it = { "", 0, 0, 0, 0, 0 };
    routable_request *const request = build(router, "{\"operation\":\"typed\"}");
    routable_target target = ROUTABLE_TARGET_INIT;
    routable_response *response = NULL;
    (void)state;
    target.write = keep;
    target.user_data = &it;
    assert_int_equal(routable_request_set_target(request, &target, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_perform(client, request, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_EMPTY);
    assert_string_equal(it.bytes, "{\"name\":\"a\"}");
    routable_response_free(response);
    assert_int_equal(routable_request_set_target(request, NULL, NULL), ROUTABLE_OK); /* in memory again */
    assert_int_equal(routable_client_perform(client, request, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
    routable_response_free(response);
    routable_request_free(request);
}

static void a_function_that_waits_or_fails(void **state)
{
    kept it = { "", 0, 0, 0, 1, 0 };
    routable_request *request = keeping("faults/ok", &it);
    routable_transfer *transfer = NULL;
    routable_response *response = NULL;
    int i;
    (void)state;
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    routable_request_free(request);
    for (i = 0; i < 200 && it.calls < 1; i++)
        assert_int_equal(routable_client_drive(client, 100, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_wait(transfer, 50, NULL), ROUTABLE_PENDING);
    assert_int_equal(it.calls, 1);
    assert_int_equal(routable_transfer_resume(transfer), 1);
    assert_int_equal(routable_transfer_wait(transfer, 20000, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_result(transfer, &response, NULL), ROUTABLE_OK);
    assert_string_equal(it.bytes, "{\"name\":\"a\"}"); /* the bytes were received again */
    routable_response_free(response);
    routable_transfer_free(transfer);
    for (i = 0; i < 2; i++) {
        kept failing = { "", 0, 0, 0, 0, 1 };
        assert_int_equal(perform_as(i, keeping("faults/ok", &failing), NULL, NULL, NULL, 0), ROUTABLE_ERR_CALLBACK);
        assert_int_equal(failing.calls, 1);
        assert_int_equal(failing.released, 1);
        failing.fail_at = 0;
        failing.calls = 0;
        failing.wait_at = 1;
        if (i == 0)
            assert_int_equal(perform_as(0, keeping("faults/ok", &failing), NULL, NULL, NULL, 0), ROUTABLE_ERR_CALLBACK);
    }
}

static void into_a_descriptor(void **state)
{
    const char *const path = path_in_folder("descriptor");
    routable_request *request = request_of("get", "file/d/200000/strong/0");
    const int file = open(path, O_CREAT | O_WRONLY, 0600);
    int closed;
    (void)state;
    assert_int_equal(routable_request_set_target_descriptor(request, file, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(1, request, NULL, NULL, NULL, 0), ROUTABLE_OK);
    assert_int_equal(close(file), 0); /* the descriptor is still open */
    assert_true(is_content(path, 200000, 0));
    request = request_of("get", "faults/ok");
    assert_int_equal(routable_request_set_target_descriptor(request, -1, NULL), ROUTABLE_ERR_ARGUMENT);
    closed = open(path, O_RDONLY);
    assert_int_equal(routable_request_set_target_descriptor(request, closed, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(0, request, NULL, NULL, NULL, 0), ROUTABLE_ERR_FILE); /* it cannot be written */
    close(closed);
}

/* A limit of the request also applies; that of the client only applies to bodies in memory. */
static void limits(void **state)
{
    kept it = { "", 0, 0, 0, 0, 0 };
    routable_policy policy = ROUTABLE_POLICY_INIT;
    (void)state;
    policy.max_response_bytes = 1000;
    assert_int_equal(perform_as(1, keeping("file/l/2000/strong/0", &it), &policy, NULL, NULL, 0), ROUTABLE_ERR_LIMIT);
    assert_true(it.count <= 2000);
}

/* --- Files --- */

/* The ranges that were requested, "-" for none, separated by spaces. */
static void ranges_of(const char *key, char *out, size_t capacity)
{
    char path[64], body[4096];
    json_t *seen, *each;
    size_t i;
    snprintf(path, sizeof path, "seen/%s", key);
    assert_int_equal(perform_as(0, request_of("get", path), NULL, NULL, body, sizeof body), ROUTABLE_OK);
    seen = json_loads(body, 0, NULL);
    *out = '\0';
    json_array_foreach(seen, i, each)
    {
        const char *const range = json_string_value(json_array_get(each, 0));
        snprintf(out + strlen(out), capacity - strlen(out), "%s%s", i ? " " : "", *range ? range : "-");
        assert_string_equal(json_string_value(json_array_get(each, 2)), "identity");
    }
    json_decref(seen);
}

static void into_a_file(void **state)
{
    static const struct {
        const char *mode;
        int breaks;
        routable_status status;
        const char *ranges;
        unsigned version;
    } rows[] = {
        { "strong", 0, ROUTABLE_OK, "-", 0 },
        { "strong", 1, ROUTABLE_OK, "- bytes=50000-", 0 },
        { "strong", 2, ROUTABLE_OK, "- bytes=50000- bytes=75000-", 0 },
        { "strong", 3, ROUTABLE_ERR_TRANSFER, "- bytes=50000- bytes=75000-", 0 },
        { "date", 1, ROUTABLE_OK, "- bytes=50000-", 0 },
        { "weak", 1, ROUTABLE_OK, "- -", 0 },
        { "none", 1, ROUTABLE_OK, "- -", 0 },
        { "changing", 1, ROUTABLE_OK, "- bytes=50000-", 2 }, /* 200 with another version */
        { "ignores", 1, ROUTABLE_OK, "- bytes=50000-", 0 },
        { "lies", 1, ROUTABLE_OK, "- bytes=50000- -", 0 },
        { "unsatisfied", 1, ROUTABLE_OK, "- bytes=50000- -", 0 },
    };
    const char *const path = path_in_folder("file");
    char part[420], note[430];
    int submitted;
    size_t i;
    (void)state;
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(note, sizeof note, "%s.part.etag", path);
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            char key[16], name[64], ranges[256], body[512];
            int32_t http_status;
            routable_status status;
            routable_request *request;
            snprintf(key, sizeof key, "k%zu-%d", i, submitted);
            snprintf(name, sizeof name, "file/%s/100000/%s/%d", key, rows[i].mode, rows[i].breaks);
            remove(path);
            request = request_of("get", name);
            assert_int_equal(routable_request_set_target_file(request, path, 0, NULL), ROUTABLE_OK);
            status = perform_as(submitted, request, NULL, &http_status, body, sizeof body);
            ranges_of(key, ranges, sizeof ranges);
            if (status != rows[i].status || strcmp(ranges, rows[i].ranges) != 0)
                print_error("%s: %s: %s (%s)\n", name, routable_status_name(status), ranges, body);
            assert_int_equal(status, rows[i].status);
            assert_string_equal(ranges, rows[i].ranges);
            assert_int_equal(size_of(part), -1);
            assert_int_equal(size_of(note), -1);
            if (status == ROUTABLE_OK) {
                assert_int_equal(http_status, 200); /* of the complete file */
                assert_true(is_content(path, 100000, rows[i].version + (rows[i].mode[0] == 'c' ? 0 : 0)));
            } else {
                assert_int_equal(size_of(path), -1);
            }
        }
}

/* An existing file stays until the new one is complete. */
static void a_failure_leaves_the_file_alone(void **state)
{
    static const char *const names[] = { "faults/not-found", "faults/close-early", "faults/reset-body", "file/old/1000/none/9" };
    const char *const path = path_in_folder("old");
    size_t i;
    (void)state;
    for (i = 0; i < 4; i++) {
        routable_request *const request = request_of("get", names[i]);
        write_bytes(path, "old", 3);
        assert_int_equal(routable_request_set_target_file(request, path, 0, NULL), ROUTABLE_OK);
        assert_int_not_equal(perform_as((int)i % 2, request, NULL, NULL, NULL, 0), ROUTABLE_OK);
        assert_int_equal(size_of(path), 3);
        assert_int_equal(size_of(path_in_folder("old.part")), -1);
    }
}

static void resumed_by_a_later_request(void **state)
{
    const char *const path = path_in_folder("later");
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_request *request = request_of("get", "file/later/100000/strong/1");
    char ranges[256];
    (void)state;
    policy.retries = -1;
    assert_int_equal(routable_request_set_target_file(request, path, ROUTABLE_TARGET_RESUME, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(1, request, &policy, NULL, NULL, 0), ROUTABLE_ERR_TRANSFER);
    assert_int_equal(size_of(path_in_folder("later.part")), 50000);
    request = request_of("get", "file/later/100000/strong/1");
    assert_int_equal(routable_request_set_target_file(request, path, ROUTABLE_TARGET_RESUME, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(0, request, &policy, NULL, NULL, 0), ROUTABLE_OK);
    ranges_of("later", ranges, sizeof ranges);
    assert_string_equal(ranges, "- bytes=50000-");
    assert_true(is_content(path, 100000, 0));
    assert_int_equal(size_of(path_in_folder("later.part")), -1);
    assert_int_equal(size_of(path_in_folder("later.part.etag")), -1);
    /* A partial file without an ETag or date cannot be resumed safely. */
    write_bytes(path_in_folder("later.part"), "xxxx", 4);
    request = request_of("get", "file/anew/1000/strong/0");
    assert_int_equal(routable_request_set_target_file(request, path, ROUTABLE_TARGET_RESUME, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(0, request, &policy, NULL, NULL, 0), ROUTABLE_OK);
    ranges_of("anew", ranges, sizeof ranges);
    assert_string_equal(ranges, "-");
    assert_true(is_content(path, 1000, 0));
}

static void files_that_do_not_do(void **state)
{
    char body[512];
    routable_request *request = request_of("get", "faults/ok");
    (void)state;
    assert_int_equal(routable_request_set_target_file(request, "", 0, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_request_set_target_file(request, "a", 4, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_request_set_target_file(request, "/nowhere/a", 0, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(0, request, NULL, NULL, body, sizeof body), ROUTABLE_ERR_FILE);
    check_contains("nowhere", routable_str_from(body), "/nowhere/a.part cannot be written: No such file or directory");
    /* A symbolic link instead of the partial file is not followed. */
    assert_int_equal(symlink(path_in_folder("elsewhere"), path_in_folder("link.part")), 0);
    request = request_of("get", "faults/ok");
    assert_int_equal(routable_request_set_target_file(request, path_in_folder("link"), 0, NULL), ROUTABLE_OK);
    assert_int_equal(perform_as(1, request, NULL, NULL, NULL, 0), ROUTABLE_ERR_FILE);
    assert_int_equal(size_of(path_in_folder("elsewhere")), -1);
}

/* --- Progress --- */

typedef struct told {
    routable_progress last;
    int calls, fail_at;
} told;

static routable_status tell(const routable_progress *progress, void *user_data)
{
    told *const it = (told *)user_data;
    assert_true(progress->sent >= it->last.sent && progress->received >= it->last.received);
    it->last = *progress;
    return ++it->calls == it->fail_at ? ROUTABLE_ERR_ARGUMENT : ROUTABLE_OK;
}

static void count_release(void *user_data)
{
    ++*(int *)user_data;
}

/* user_data is released once: when another callback or NULL replaces it, immediately if there is no callback, after an error. */
static void progress_is_released_once(void **state)
{
    int first = 0, second = 0, none = 0, failed = 0;
    routable_request *const request = request_of("get", "faults/ok");
    (void)state;
    assert_int_equal(routable_request_set_progress(request, tell, &first, count_release, NULL), ROUTABLE_OK);
    assert_int_equal(first, 0);
    assert_int_equal(routable_request_set_progress(request, tell, &second, count_release, NULL), ROUTABLE_OK);
    assert_int_equal(first, 1);
    assert_int_equal(routable_request_set_progress(request, NULL, &none, count_release, NULL), ROUTABLE_OK);
    assert_int_equal(second, 1);
    assert_int_equal(none, 1);
    assert_int_equal(routable_request_set_progress(NULL, tell, &failed, count_release, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(failed, 1);
    routable_request_free(request);
    assert_int_equal(first + second + none + failed, 4);
}

static void progress_both_ways(void **state)
{
    const char *const path = path_in_folder("progress");
    char *const bytes = (char *)calloc(1, 500000);
    int submitted;
    (void)state;
    write_bytes(path, bytes, 500000);
    for (submitted = 0; submitted < 2; submitted++) {
        told up = { { 0, 0, 0, 0 }, 0, 0 }, down = up, memory = up, failing = { { 0, 0, 0, 0 }, 0, 1 };
        routable_request *request = request_of("put", "hash");
        assert_int_equal(routable_request_set_body_file(request, path, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(routable_request_set_progress(request, tell, &up, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, NULL, 0), ROUTABLE_OK);
        assert_int_equal(up.last.sent, 500000);
        assert_int_equal(up.last.to_send, 500000);
        assert_true(up.calls > 2);
        request = request_of("get", submitted ? "file/p1/300000/strong/1" : "file/p0/300000/strong/0");
        assert_int_equal(routable_request_set_target_file(request, path_in_folder("got"), 0, NULL), ROUTABLE_OK);
        assert_int_equal(routable_request_set_progress(request, tell, &down, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, NULL, 0), ROUTABLE_OK);
        assert_int_equal(down.last.received, 300000); /* including the bytes of the first attempt */
        assert_int_equal(down.last.to_receive, 300000);
        request = request_of("put", "hash"); /* a body in memory is also reported */
        assert_int_equal(routable_request_set_body(request, (routable_str){ bytes, 500000 }, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(routable_request_set_progress(request, tell, &memory, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, NULL, 0), ROUTABLE_OK);
        assert_int_equal(memory.last.sent, 500000);
        request = request_of("get", "faults/ok");
        assert_int_equal(routable_request_set_progress(request, tell, &failing, NULL, NULL), ROUTABLE_OK);
        assert_int_equal(perform_as(submitted, request, NULL, NULL, NULL, 0), ROUTABLE_ERR_CALLBACK);
        assert_int_equal(failing.calls, 1);
    }
    free(bytes);
}

/* --- Pause --- */

static void pause_and_resume(void **state)
{
    kept it = { "", 0, 0, 0, 0, 0 };
    routable_request *const request = keeping("endless", &it);
    routable_transfer *transfer = NULL;
    size_t before;
    int i;
    (void)state;
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    routable_request_free(request);
    for (i = 0; i < 1000 && it.count < 1000000; i++)
        assert_int_equal(routable_client_drive(client, 100, NULL, NULL), ROUTABLE_OK);
    assert_true(it.count >= 1000000);
    if (!routable_transfer_pause(transfer)) { /* it has already ended */
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status("endless", routable_transfer_result(transfer, &response, &error), ROUTABLE_PENDING, error);
    }
    assert_int_equal(routable_client_drive(client, 0, NULL, NULL), ROUTABLE_OK);
    before = it.count;
    for (i = 0; i < 5; i++)
        assert_int_equal(routable_client_drive(client, 10, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(it.count, before);
    assert_int_equal(routable_transfer_resume(transfer), 1);
    for (i = 0; i < 1000 && it.count < before + 1000000; i++)
        assert_int_equal(routable_client_drive(client, 100, NULL, NULL), ROUTABLE_OK);
    assert_true(it.count >= before + 1000000);
    assert_int_equal(routable_transfer_cancel(transfer), 1);
    before = it.count;
    assert_int_equal(routable_client_drive(client, 20, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(it.count, before); /* no calls after the cancellation */
    assert_int_equal(routable_transfer_pause(transfer), 0);
    routable_transfer_free(transfer);
    assert_int_equal(it.released, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(into_a_function),
        cmocka_unit_test(of_a_typed_operation),
        cmocka_unit_test(a_function_that_waits_or_fails),
        cmocka_unit_test(into_a_descriptor),
        cmocka_unit_test(limits),
        cmocka_unit_test(into_a_file),
        cmocka_unit_test(a_failure_leaves_the_file_alone),
        cmocka_unit_test(resumed_by_a_later_request),
        cmocka_unit_test(files_that_do_not_do),
        cmocka_unit_test(progress_both_ways),
        cmocka_unit_test(progress_is_released_once),
        cmocka_unit_test(pause_and_resume),
    };
    return cmocka_run_group_tests_name("response_bodies", tests, start_bodies, stop_bodies);
}
