/* A tape.  Any bytes as its file: they are opened or refused with a status and a position, and an opened tape can be finished.  Any exchange:
 * a recorded exchange can be replayed with the same status, and its file does not contain the token of the client. */
#include <unistd.h>

#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char tape_document[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"auth\":{\"s\":{\"scheme\":\"bearer\",\"default\":true}},"
    "\"types\":{\"T\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"pin\":{\"type\":\"string\",\"writeOnly\":true},"
    "\"keys\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"format\":\"password\",\"minLength\":3}},\"l\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/T\"}}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\"],\"type\":\"T\"}},"
    "\"operations\":{\"form\":{\"post\":\"/form\",\"body_as\":\"form\"},\"raw\":{\"post\":\"/raw\",\"body_as\":\"bytes\"}}}";
static const char tape_token[] = "sesame-7f3a9c11";

static routable_router *tape_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(tape_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK, "tape: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

static const char *tape_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/routable-fuzz-tape-%ld.har", (long)getpid());
    return path;
}

static void tape_opens(routable_str text)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    routable_tape_options options = ROUTABLE_TAPE_OPTIONS_INIT;
    int32_t mode;
    FILE *const file = fopen(tape_path(), "wb");
    EXPECT(file && fwrite(text.ptr, 1, text.len, file) == text.len && fclose(file) == 0, "tape: the file cannot be written");
    options.flags = ROUTABLE_TAPE_ALLOW_UNUSED;
    for (mode = ROUTABLE_TAPE_REPLAY; mode <= ROUTABLE_TAPE_CHECK; mode++) {
        routable_tape *tape = FUZZ_UNTOUCHED(routable_tape);
        routable_error *error = NULL;
        routable_status status;
        options.mode = (routable_tape_mode)mode;
        status = routable_tape_new(tape_router(), tape_path(), &options, &tape, &error);
        if (status != ROUTABLE_OK) {
            EXPECT(tape == FUZZ_UNTOUCHED(routable_tape), "tape: a refused tape was given");
            fuzz_check_error("tape", status, allowed, error, NULL);
            continue;
        }
        EXPECT(routable_tape_finish(tape, NULL) == ROUTABLE_OK, "tape: expected that a tape can be finished");
        routable_tape_free(tape);
    }
}

/* The HTTP status, or the status of the library as a negative number. */
static int tape_perform(const routable_request *request, routable_responses *responses, routable_tape_mode mode)
{
    routable_tape_options tape_options = ROUTABLE_TAPE_OPTIONS_INIT;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_tape *tape = NULL;
    routable_client *client = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_status status;
    int result;
    tape_options.mode = mode;
    EXPECT(routable_tape_new(tape_router(), tape_path(), &tape_options, &tape, &error) == ROUTABLE_OK, "tape: expected a tape, got %s",
        routable_error_message(error).ptr);
    if (responses)
        options.transport = routable_responses_answer, options.transport_user_data = responses;
    options.tape = tape;
    options.max_redirects = 1;
    EXPECT(routable_client_new(&options, &client, NULL) == ROUTABLE_OK, "tape: expected a client");
    credential.scheme = "s";
    credential.token = routable_str_from(tape_token);
    EXPECT(routable_client_set_credential(client, &credential, NULL) == ROUTABLE_OK, "tape: expected a credential");
    policy.flags = ROUTABLE_POLICY_ANY_STATUS;
    policy.max_redirects = ROUTABLE_NONE;
    status = routable_client_perform_with(client, request, &policy, &response, &error);
    result = status == ROUTABLE_OK ? routable_response_status(response) : -(int)status;
    if (status == ROUTABLE_ERR_CALLBACK)
        FUZZ_FAIL("tape: %s", routable_error_message(error).ptr);
    routable_error_free(error);
    error = NULL;
    routable_response_free(response);
    routable_client_free(client);
    EXPECT(routable_tape_finish(tape, &error) == ROUTABLE_OK, "tape: expected the end, got %s", routable_error_message(error).ptr);
    routable_tape_free(tape);
    return result;
}

static void tape_records(fuzz_input *input, const uint8_t *data, size_t size)
{
    static const char *const types[] = { "application/json", "text/plain", "application/x-www-form-urlencoded", "text/event-stream", "application/jsonl", "" };
    static const int statuses[] = { 200, 201, 204, 302, 401, 422, 500 };
    const unsigned how = fuzz_byte(input);
    const routable_str id = fuzz_field(input), body = fuzz_field(input), value = fuzz_field(input), answer = fuzz_rest(input);
    routable_argument ids[1];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_header headers[2];
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_request *request = NULL;
    routable_responses *responses = NULL;
    char *text, *place;
    size_t length, i;
    int isKnown = 0;
    FILE *file;
    int status;
    ids[0].name = NULL;
    ids[0].value = routable_value_str(id);
    if (how & 1) {
        call.route = "user", call.operation = "read", call.ids = ids, call.id_count = 1;
    } else {
        call.route = how & 2 ? NULL : "user";
        call.operation = how & 2 ? how & 4 ? "form" : "raw" : "create";
        call.body = routable_value_str(body);
        if (!(how & 2) || how & 4)
            call.body.kind = ROUTABLE_KIND_JSON;
    }
    if (routable_request_new(tape_router(), &call, &request, NULL) != ROUTABLE_OK)
        return;
    headers[0].name = ROUTABLE_STR("Content-Type");
    headers[0].value = routable_str_from(types[(how >> 3) % 6]);
    headers[1].name = how & 128 ? ROUTABLE_STR("Location") : ROUTABLE_STR("Set-Cookie");
    headers[1].value = value;
    reply.http_status = statuses[(how >> 4) % 7];
    reply.headers = headers, reply.header_count = 2, reply.body = answer;
    canned.reply = &reply;
    EXPECT(routable_responses_new(&responses, NULL) == ROUTABLE_OK, "tape: expected responses");
    if (routable_responses_add(responses, &canned, NULL) == ROUTABLE_OK) {
        unlink(tape_path());
        status = tape_perform(request, responses, ROUTABLE_TAPE_RECORD);
        file = fopen(tape_path(), "rb");
        EXPECT(file, "tape: expected a file");
        text = (char *)malloc(1 << 20);
        length = fread(text, 1, (1 << 20) - 1, file);
        fclose(file);
        text[length] = '\0';
        for (i = 0; i + 6 <= size; i++)
            isKnown |= memcmp(data + i, tape_token, 6) == 0;
        place = strstr(text, tape_token);
        EXPECT(!place || isKnown, "tape: the token is in the file: %.200s", place);
        free(text);
        length = (size_t)tape_perform(request, NULL, ROUTABLE_TAPE_REPLAY);
        EXPECT((int)length == status, "tape: recorded %d, replayed %d", status, (int)length);
    }
    routable_responses_free(responses);
    routable_request_free(request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = { (const char *)data, size };
    if (fuzz_byte(&input) == 'E')
        tape_records(&input, data, size);
    else
        tape_opens(fuzz_rest(&input));
    unlink(tape_path());
    return 0;
}
