/* The headers together, twice and in another order: layouts and constants. (scripts/check_headers compiles each one alone, as C
 * and as C++.) */
#include "routable_jansson.h"
#include "routable_curl.h"
#include "routable.h"
#include "routable.h"
#include "routable_curl.h"
#include "routable_jansson.h"

#include "support.h"

/* Frozen structs: changing any of these changes the ABI. */
static void layouts(void **state)
{
    (void)state;
    assert_int_equal(sizeof(routable_str), 16);
    assert_int_equal(sizeof(routable_string), 16);
    assert_int_equal(sizeof(routable_value), 24);
    assert_int_equal(offsetof(routable_value, as), 8);
    assert_int_equal(sizeof(routable_argument), 32);
    assert_int_equal(sizeof(routable_header), 32);
    assert_int_equal(sizeof(routable_document), 32);
    assert_int_equal(sizeof(routable_response_parts), 80);
    assert_int_equal(sizeof(routable_completion), 104);
    assert_int_equal(offsetof(routable_completion, parts), 24);
    assert_int_equal(sizeof(routable_progress), 32);
    assert_int_equal(sizeof(routable_stream_item), 48);
    assert_int_equal(sizeof(routable_capture), 16);
    assert_int_equal(sizeof(routable_match), 528);
    assert_int_equal(offsetof(routable_match, captures), 16);
    assert_int_equal(sizeof(routable_curl_response), 64);
    assert_int_equal(sizeof(routable_status), 4);
    assert_int_equal(offsetof(routable_open_options, size), 0);
    assert_int_equal(offsetof(routable_call, size), 0);
    assert_int_equal(offsetof(routable_client_options, size), 0);
    assert_int_equal(offsetof(routable_resource_options, size), 0);
    assert_int_equal(offsetof(routable_operation_options, size), 0);
    assert_int_equal(offsetof(routable_parameter_options, size), 0);
}

static void initialisers(void **state)
{
    const routable_open_options open = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_client_options client = ROUTABLE_CLIENT_OPTIONS_INIT;
    const routable_call call = ROUTABLE_CALL_INIT;
    (void)state;
    assert_int_equal(open.size, sizeof open);
    assert_int_equal(client.size, sizeof client);
    assert_int_equal(call.size, sizeof call);
    assert_int_equal(call.body.kind, ROUTABLE_KIND_NULL);
    assert_null(call.base);
}

static void inline_helpers(void **state)
{
    (void)state;
    check_text("NULL", routable_str_from(NULL), "");
    check_text("text", routable_str_from("a"), "a");
    assert_int_equal(routable_value_string("a").kind, ROUTABLE_KIND_STRING);
    assert_int_equal(routable_value_json("1").kind, ROUTABLE_KIND_JSON);
    assert_int_equal(routable_value_integer(INT64_MIN).as.integer, INT64_MIN);
    assert_true(routable_value_real(0.5).as.real == 0.5);
    assert_int_equal(routable_value_boolean(9).as.integer, 1);
}

/* A caller that was compiled before a field was added passes a smaller size. */
static void sizes_of_older_callers(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    struct { routable_open_options known; char more[16]; } newer;
    (void)state;
    options.size = offsetof(routable_open_options, flags);
    options.flags = 0xFFFFFFFFu; /* beyond the size: ignored */
    check_status("shorter", routable_router_open("{\"routable\":1}", ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    routable_router_free(router);
    router = NULL;
    memset(&newer, 0, sizeof newer);
    newer.known.size = sizeof newer;
    check_status("longer, zero", routable_router_open("{\"routable\":1}", ROUTABLE_NUL_TERMINATED, &newer.known, &router, &error), ROUTABLE_OK,
        error);
    routable_router_free(router);
    router = NULL;
    newer.more[3] = 1;
    {
        const routable_status status = routable_router_open("{\"routable\":1}", ROUTABLE_NUL_TERMINATED, &newer.known, &router, &error);
        if (status != ROUTABLE_ERR_ARGUMENT && status != ROUTABLE_ERR_UNSUPPORTED)
            fail_msg("longer, not zero\nexpected: argument or unsupported\ngot: %s", routable_status_name(status));
        routable_error_free(error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(initialisers),
        cmocka_unit_test(inline_helpers),
        cmocka_unit_test(sizes_of_older_callers),
    };
    return cmocka_run_group_tests_name("headers", tests, NULL, NULL);
}
