/* The inline functions for generated C.  They write bodies without the library.  Numbers and strings must have the same bytes as
 * from the library, because all languages send the same bytes. */
#include "support.h"

#include <float.h>
#include <math.h>

/* The allocations of the functions of the header fail if this is set. */
static int has_no_memory;

static void *allocate(size_t size)
{
    return has_no_memory ? NULL : malloc(size);
}

#define malloc allocate
#include <routable_typed_call.h>
#undef malloc

static routable_router *router;

static int open_router(void **state)
{
    static const char document[] = "{\"routable\":1,\"base\":\"https://h.example\",\"operations\":{\"send\":{\"post\":\"/send\",\"encoding\":{\"as\":\"json\"}}}}";
    (void)state;
    return routable_router_open(document, sizeof document - 1, NULL, &router, NULL) != ROUTABLE_OK;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

/* Checks that the library writes the same body. */
static void check_body(routable_value value, const char *written, size_t length)
{
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_argument member = { "v", value };
    routable_argument whole[] = { member };
    routable_error *error = NULL;
    char wanted[4200];
    call.operation = "send";
    call.parameters = whole;
    call.parameter_count = 1;
    if (routable_request_new(router, &call, &request, &error) != ROUTABLE_OK)
        fail_msg("%s", message_of(error));
    routable_str body = routable_request_body(request);
    const int count = snprintf(wanted, sizeof wanted, "{\"v\":%.*s}", (int)length, written);
    if (body.len != (size_t)count || memcmp(body.ptr, wanted, body.len) != 0)
        fail_msg("the library writes %.*s, and generated C %s", (int)body.len, body.ptr, wanted);
    routable_request_free(request);
}

static void check_number(double number)
{
    char text[64];
    routable_typed_writer count = { NULL, 0 }, writer = { text, 0 };
    routable_typed_put_number(&count, number);
    assert_true(count.count < sizeof text);
    routable_typed_put_number(&writer, number);
    assert_int_equal(count.count, writer.count);
    check_body(routable_value_real(number), text, writer.count);
}

static void numbers_are_the_librarys(void **state)
{
    static const double numbers[] = { 0, -0.0, 1, -1, 0.1, 0.5, 100.1, 1e15, 1e16, 1e17, 18014398509481984.0, 18014398509481988.0,
        1e20, 1e22, 1.5e300, DBL_MAX, DBL_MIN, 5e-324, 4.9e-322, 2.2250738585072009e-308, 0.0001, 0.00012345, 0.00001, 1e-7,
        0.1 + 0.2, 2.0 / 3, 9007199254740993.0, 123456789.123456789, 12345678901234567.0, 5e-5, 9.5e-5, 1.7976931348623157e308 };
    uint64_t bits = 0x9E3779B97F4A7C15;
    (void)state;
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
        check_number(numbers[index]);
    for (int round = 0; round < 20000; round++) {
        double number;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&number, &bits, sizeof number);
        if (round % 2)
            number = (double)(int64_t)(bits >> 20) / 1000; /* numbers as in usual programs */
        if (isfinite(number))
            check_number(number);
    }
}

static void strings_are_the_librarys(void **state)
{
    char source[130], text[1000];
    routable_typed_writer writer = { text, 0 };
    (void)state;
    for (int byte = 1; byte < 128; byte++)
        source[byte - 1] = (char)byte;
    memcpy(source + 127, "\xC3\xA9", 3);
    routable_typed_put_string(&writer, source, 129);
    check_body(routable_value_string(source), text, writer.count);
}

/* A route that is longer than the buffer on the stack. */
static void a_lack_of_memory_is_a_status(void **state)
{
    char name[600], url[64];
    const char *const names[] = { name };
    const uint16_t resource = 0;
    routable_typed_operation operation;
    routable_typed_api api;
    routable_typed_place place;
    routable_request *request = NULL;
    routable_error *error = (routable_error *)name;
    size_t length = 0;
    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    memset(&operation, 0, sizeof operation);
    operation.name = "read";
    routable_typed_use(&api, router, names);
    place = routable_typed_root(&api);
    place.resources = &resource;
    place.depth = 1;
    has_no_memory = 1;
    assert_int_equal(routable_typed_request(&place, &operation, NULL, NULL, &request, &error), ROUTABLE_ERR_MEMORY);
    assert_null(error);
    error = (routable_error *)name;
    assert_int_equal(routable_typed_url(&place, &operation, NULL, url, sizeof url, &length, &error), ROUTABLE_ERR_MEMORY);
    assert_null(error);
    assert_null(request);
    has_no_memory = 0;
    assert_int_equal(routable_typed_request(&place, &operation, NULL, NULL, &request, &error), ROUTABLE_ERR_UNKNOWN);
    routable_error_free(error);
    routable_typed_forget(&api);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_librarys),
        cmocka_unit_test(strings_are_the_librarys),
        cmocka_unit_test(a_lack_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, open_router, close_router);
}
