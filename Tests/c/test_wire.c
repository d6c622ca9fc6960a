/* Requirements of HTTP for the bytes of a response, which libcurl before 8 does not check: complete content codings,
 * a single length, and no bytes on an idle connection. */
#include "support.h"

static service faults;
static routable_router *router;

static const char document[] =
    "{\"routable\":1,\"operations\":{\"fault\":{\"get\":\"/faults/{name*}\"},\"head\":{\"head\":\"/faults/{name*}\"},\"echo\":{\"get\":\"/echo\"}}}";

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    service_start(&faults, "Tests/service/fault_service.py");
    options.base = faults.base;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    service_stop(&faults);
    return 0;
}

static routable_client *new_client(const routable_client_options *options)
{
    routable_client *made = NULL;
    routable_error *error = NULL;
    check_status("client", routable_client_new(options, &made, &error), ROUTABLE_OK, error);
    return made;
}

/* Performs `operation` with the id `name`, in a blocking call or submitted; the start of the body or of the message is copied to `text`. */
static routable_status outcome(routable_client *client, int submitted, const char *operation, const char *name, char *text, size_t size)
{
    char call[512];
    routable_request *request;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_str told;
    routable_status status;
    snprintf(call, sizeof call, *name ? "{\"operation\":\"%s\",\"ids\":[\"%s\"]}" : "{\"operation\":\"%s\"}", operation, name);
    request = build(router, call);
    if (submitted) {
        routable_transfer *transfer = NULL;
        check_status(name, routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, &error), ROUTABLE_OK, error);
        check_status(name, routable_transfer_wait(transfer, patience(20000), &error), ROUTABLE_OK, error);
        status = routable_transfer_result(transfer, &response, &error);
        routable_transfer_free(transfer);
    } else {
        status = routable_client_perform(client, request, &response, &error);
    }
    told = status == ROUTABLE_OK ? routable_response_body(response) : routable_error_message(error);
    snprintf(text, size, "%.*s", (int)told.len, told.ptr ? told.ptr : "");
    routable_request_free(request);
    routable_response_free(response);
    routable_error_free(error);
    return status;
}

/* {"name":"a"} in each coding. */
#define GZIP "1f8b08000000000002ffab56ca4bcc4d55b2524a54aa0500962b768d0c000000"
static const struct { const char *coding, *digits; } coded[] = {
    { "gzip", GZIP },
    { "X-GZIP", GZIP },
    { "deflate", "78daab56ca4bcc4d55b2524a54aa0500198003bd" },
    { "deflate", "ab56ca4bcc4d55b2524a54aa0500" }, /* without the header of zlib, as from some services */
    { "br", "8b05807b226e616d65223a2261227d03" },
    { "zstd", "28b52ffd200c6100007b226e616d65223a2261227d" },
    /* A gzip file with two members, and two codings: br, then gzip. */
    { "gzip", "1f8b08000000000002ffab56ca4bcc4d0500df81411406000000" "1f8b08000000000002ff53b2524a54aa0500ba281fda06000000" },
    { "br, gzip", "1f8b08000000000002ffeb666da856ca4bcc4d55b2524a54aa6506009a64f70710000000" },
};

static void codings(void **state)
{
    size_t i;
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        routable_client *const client = new_client(NULL);
        for (i = 0; i < sizeof coded / sizeof *coded - 2; i++) {
            char name[400], text[400], expected[64];
            const size_t length = strlen(coded[i].digits);
            size_t cut;
            snprintf(name, sizeof name, "coded/%s/%s", coded[i].coding, coded[i].digits);
            assert_int_equal(outcome(client, submitted, "fault", name, text, sizeof text), ROUTABLE_OK);
            assert_string_equal(text, "{\"name\":\"a\"}");
            for (cut = 2; cut < length; cut += 2) {
                name[strlen(name) - 2] = '\0';
                if (outcome(client, submitted, "fault", name, text, sizeof text) != ROUTABLE_ERR_TRANSFER) {
                    print_error("%s, cut by %d bytes: expected a failed transfer, got %s\n", name, (int)cut / 2, text);
                    fail();
                }
                snprintf(expected, sizeof expected, "the response of 127.0.0.1:%d ended early, after ", faults.port);
                check_contains(name, routable_str_from(text), expected);
            }
        }
        routable_client_free(client);
    }
}

static void odd_codings(void **state)
{
    static const struct { const char *name; routable_status status; const char *text; } rows[] = {
        { "coded/gzip/ ", ROUTABLE_OK, "" }, /* an empty body */
        { "coded/identity/6162", ROUTABLE_OK, "ab" },
        { "coded/ ,identity , gzip ,/" GZIP, ROUTABLE_OK, "{\"name\":\"a\"}" },
        { "coded/gzip/" GZIP "00", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/deflate/ab56ca4bcc4d55b2524a54aa050000", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/br/8b05807b226e616d65223a2261227d0300", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/gzip/6e6f7065", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/br/ffffffff", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/zstd/6e6f7065", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/gzip/1f8b08000000000002ffab56ca4bcc4d55b2524a54aa0500962b768e0c000000", ROUTABLE_ERR_TRANSFER, "not in the content encoding" },
        { "coded/compress/6162", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        { "coded/gzip,gzip,gzip,gzip,gzip/6162", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
        /* A window of 128 MiB; RFC 8878 allows 8 MiB. */
        { "coded/zstd/28b52ffd0088610000", ROUTABLE_ERR_TRANSFER, "not in the content encoding that it states" },
    };
    routable_client *const client = new_client(NULL);
    char text[400];
    size_t i;
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            const routable_status status = outcome(client, submitted, "fault", rows[i].name, text, sizeof text);
            if (status != rows[i].status)
                print_error("%s: %s\n", rows[i].name, text);
            assert_int_equal(status, rows[i].status);
            check_contains(rows[i].name, routable_str_from(text), rows[i].text);
        }
    for (submitted = 0; submitted < 2; submitted++) {
        /* The response to HEAD has no body that could be truncated. */
        assert_int_equal(outcome(client, submitted, "head", "gzip", text, sizeof text), ROUTABLE_OK);
        for (i = sizeof coded / sizeof *coded - 2; i < sizeof coded / sizeof *coded; i++) {
            char name[400];
            snprintf(name, sizeof name, "coded/%s/%s", coded[i].coding, coded[i].digits);
            if (outcome(client, submitted, "fault", name, text, sizeof text) != ROUTABLE_OK)
                print_error("%s: %s\n", name, text);
            assert_string_equal(text, "{\"name\":\"a\"}");
        }
    }
    routable_client_free(client);
}

/* Without decompression, the body is returned as received. */
static void without_decompression(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    char text[64];
    (void)state;
    options.flags = ROUTABLE_CLIENT_NO_COMPRESSION;
    client = new_client(&options);
    assert_int_equal(outcome(client, 0, "fault", "coded/gzip/6162", text, sizeof text), ROUTABLE_OK);
    assert_string_equal(text, "ab");
    routable_client_free(client);
}

typedef struct counted {
    size_t count, calls, pauses, wrong;
} counted;

/* Returns "not now" at every seventh call. */
static routable_status count_digits(routable_str bytes, void *user_data)
{
    counted *const it = user_data;
    size_t i;
    if (++it->calls % 7 == 0) {
        it->pauses++;
        return ROUTABLE_PENDING;
    }
    for (i = 0; i < bytes.len; i++, it->count++) {
        char expected[16];
        if (it->count % 8 == 0 && i + 8 <= bytes.len) {
            snprintf(expected, sizeof expected, "%08d", (int)(it->count / 8));
            it->wrong += memcmp(expected, bytes.ptr + i, 8) != 0;
        }
    }
    return ROUTABLE_OK;
}

/* A target that pauses while a decoder has more data: no data is lost or duplicated. */
static void a_coding_with_pauses(void **state)
{
    routable_client *const client = new_client(NULL);
    routable_request *const request = build(router, "{\"operation\":\"fault\",\"ids\":[\"gzip-count\"]}");
    counted it = { 0, 0, 0, 0 };
    routable_target target = ROUTABLE_TARGET_INIT;
    routable_transfer *transfer = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    size_t resumed = 0;
    (void)state;
    target.write = count_digits;
    target.user_data = &it;
    assert_int_equal(routable_request_set_target(request, &target, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    routable_request_free(request);
    while (routable_transfer_wait(transfer, 0, NULL) == ROUTABLE_PENDING) {
        assert_int_equal(routable_client_drive(client, 20, NULL, NULL), ROUTABLE_OK);
        while (resumed < it.pauses) {
            routable_transfer_resume(transfer);
            resumed++;
        }
    }
    check_status("count", routable_transfer_result(transfer, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(it.count, 4000000);
    assert_int_equal(it.wrong, 0);
    assert_true(it.pauses > 20);
    routable_response_free(response);
    routable_transfer_free(transfer);
    routable_client_free(client);
}

static void lengths(void **state)
{
    routable_client *const client = new_client(NULL);
    char text[400];
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        assert_int_equal(outcome(client, submitted, "fault", "length-twice", text, sizeof text), ROUTABLE_ERR_TRANSFER);
        assert_int_equal(outcome(client, submitted, "fault", "length-beyond", text, sizeof text), ROUTABLE_ERR_TRANSFER);
        assert_int_equal(outcome(client, submitted, "fault", "length-same-twice", text, sizeof text), ROUTABLE_OK);
        assert_string_equal(text, "{\"name\":\"a\"}");
    }
    routable_client_free(client);
}

static int connection_of(routable_client *client, int submitted)
{
    char text[1000];
    const char *number;
    assert_int_equal(outcome(client, submitted, "echo", "", text, sizeof text), ROUTABLE_OK);
    number = strstr(text, "\"connection\": ");
    assert_non_null(number);
    return atoi(number + strlen("\"connection\": "));
}

/* Bytes that arrive on an idle connection are not the response to the next request. */
static void a_kept_connection_with_bytes(void **state)
{
    routable_client *const other = new_client(NULL);
    int submitted, round;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        routable_client *const client = new_client(NULL);
        char text[400];
        int connection = connection_of(client, submitted);
        for (round = 0; round < 3; round++) {
            char name[64];
            snprintf(name, sizeof name, "kept/%d-%d", submitted, round);
            assert_int_equal(outcome(client, submitted, "fault", name, text, sizeof text), ROUTABLE_OK);
            assert_int_equal(connection_of(client, submitted), connection); /* it is reused */
            snprintf(name, sizeof name, "stuff/%d-%d", submitted, round);
            assert_int_equal(outcome(other, 0, "fault", name, text, sizeof text), ROUTABLE_OK);
            assert_int_equal(outcome(client, submitted, "fault", "ok", text, sizeof text), ROUTABLE_OK);
            assert_string_equal(text, "{\"name\":\"a\"}");
            assert_int_not_equal(connection_of(client, submitted), connection);
            connection = connection_of(client, submitted);
        }
        routable_client_free(client);
    }
    routable_client_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codings),
        cmocka_unit_test(odd_codings),
        cmocka_unit_test(without_decompression),
        cmocka_unit_test(a_coding_with_pauses),
        cmocka_unit_test(lengths),
        cmocka_unit_test(a_kept_connection_with_bytes),
    };
    return cmocka_run_group_tests_name("wire", tests, start, stop);
}
