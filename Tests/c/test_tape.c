/* routable_tape.h: recording, replaying and checking from C; options that are not valid; a tape that is freed before its client. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\",\"auth\":{\"s\":{\"scheme\":\"bearer\",\"default\":true}},"
    "\"types\":{\"U\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"},\"pin\":{\"type\":\"string\",\"writeOnly\":true}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"type\":\"U\",\"can\":[\"read\",\"create\"]}}}";

static routable_router *api;
static char path[64];

static routable_tape *open_tape(routable_tape_mode mode)
{
    static const char *const names[] = { "name" };
    routable_str secrets[1];
    routable_tape_options options = ROUTABLE_TAPE_OPTIONS_INIT;
    routable_tape *tape = NULL;
    routable_error *error = NULL;
    secrets[0] = ROUTABLE_STR("named-value");
    options.mode = mode;
    options.redact = names, options.redact_count = 0;
    options.secrets = secrets, options.secret_count = 1;
    check_status("a tape", routable_tape_new(api, path, &options, &tape, &error), ROUTABLE_OK, error);
    return tape;
}

static routable_client *client_over(routable_tape *tape, routable_responses *responses, const char *token)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_client *client = NULL;
    routable_error *error = NULL;
    if (responses)
        options.transport = routable_responses_answer, options.transport_user_data = responses;
    options.tape = tape;
    check_status("a client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
    credential.scheme = "s";
    credential.token = routable_str_from(token);
    check_status("a credential", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    return client;
}

/* Performs the call, and returns the body, or the message of the error. */
static const char *perform(routable_client *client, const char *call)
{
    static char text[1024];
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    assert_int_equal(routable_request_new_json(api, call, ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_OK);
    if (routable_client_perform(client, request, &response, &error) == ROUTABLE_OK)
        snprintf(text, sizeof text, "%s", routable_response_body(response).ptr);
    else
        snprintf(text, sizeof text, "%s", routable_error_message(error).ptr);
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
    return text;
}

static const char read_ann[] = "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"ann\"]}";
static const char create[] = "{\"route\":\"user\",\"operation\":\"create\",\"body\":{\"name\":\"named-value\",\"pin\":\"my-own-pin\"}}";

static void a_tape_is_recorded_and_replayed(void **state)
{
    static const routable_header type[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_responses *responses = NULL;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_tape *tape = open_tape(ROUTABLE_TAPE_RECORD);
    routable_error *error = NULL;
    routable_client *client;
    struct stat about;
    char text[8192];
    FILE *file;
    size_t length;
    int mode;
    (void)state;
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    reply.headers = type, reply.header_count = 1, reply.body = ROUTABLE_STR("{\"name\":\"ann\"}");
    canned.reply = &reply, canned.times = 2;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    client = client_over(tape, responses, "first-token-of-all");
    assert_string_equal(perform(client, read_ann), "{\"name\":\"ann\"}");
    assert_string_equal(perform(client, create), "{\"name\":\"ann\"}");
    routable_client_free(client);
    check_status("finish", routable_tape_finish(tape, &error), ROUTABLE_OK, error);
    check_status("finish again", routable_tape_finish(tape, &error), ROUTABLE_OK, error);
    routable_tape_free(tape);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    file = fopen(path, "r");
    length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    assert_null(strstr(text, "first-token"));
    assert_null(strstr(text, "my-own-pin"));
    assert_null(strstr(text, "named-value"));
    for (mode = ROUTABLE_TAPE_REPLAY; mode <= ROUTABLE_TAPE_CHECK; mode++) {
        tape = open_tape((routable_tape_mode)mode);
        client = client_over(tape, NULL, "another");
        routable_tape_free(tape); /* the client keeps it */
        assert_string_equal(perform(client, create), "{\"name\":\"ann\"}");
        assert_string_equal(perform(client, read_ann), "{\"name\":\"ann\"}");
        assert_non_null(strstr(perform(client, read_ann), "is used up"));
        routable_client_free(client);
    }
    tape = open_tape(ROUTABLE_TAPE_REPLAY);
    check_status("unused", routable_tape_finish(tape, &error), ROUTABLE_ERR_CALLBACK, error);
    routable_error_free(error);
    routable_tape_free(tape);
    routable_responses_free(responses);
}

static void what_is_not_valid_is_refused(void **state)
{
    routable_tape_options options = ROUTABLE_TAPE_OPTIONS_INIT;
    routable_tape *tape = NULL;
    routable_error *error = NULL;
    (void)state;
#define REFUSED(what, change, expected) \
    do { \
        options = (routable_tape_options)ROUTABLE_TAPE_OPTIONS_INIT; \
        change; \
        check_status(what, routable_tape_new(api, path, &options, &tape, &error), expected, error); \
        routable_error_free(error), error = NULL; \
        assert_null(tape); \
    } while (0)
    REFUSED("a mode", options.mode = (routable_tape_mode)4, ROUTABLE_ERR_ARGUMENT);
    REFUSED("flags", options.flags = 2, ROUTABLE_ERR_ARGUMENT);
    REFUSED("names", options.redact_count = 1, ROUTABLE_ERR_ARGUMENT);
    REFUSED("too many names", options.redact_count = 100000, ROUTABLE_ERR_LIMIT);
    REFUSED("secrets", options.secret_count = 1, ROUTABLE_ERR_ARGUMENT);
    REFUSED("a size", options.size = 3, ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_tape_new(NULL, path, NULL, &tape, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_tape_new(api, NULL, NULL, &tape, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_tape_new(api, path, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_tape_finish(NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_tape_free(NULL);
    options = (routable_tape_options)ROUTABLE_TAPE_OPTIONS_INIT;
    options.mode = ROUTABLE_TAPE_REPLAY;
    check_status("no file", routable_tape_new(api, "/none/x.har", &options, &tape, &error), ROUTABLE_ERR_FILE, error);
    routable_error_free(error);
}

static int open_api(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/routable-test-tape-%ld.har", (long)getpid());
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, NULL) != ROUTABLE_OK;
}

static int close_api(void **state)
{
    (void)state;
    unlink(path);
    routable_router_free(api);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_is_recorded_and_replayed),
        cmocka_unit_test(what_is_not_valid_is_refused),
    };
    return cmocka_run_group_tests_name("tape", tests, open_api, close_api);
}
