/* The host's limit for the library's memory: ROUTABLE_ERR_MEMORY, unmodified outputs, and the same call succeeds later. */
#include "routable_schema.h"
#include "support.h"

#include <dlfcn.h>
#include <pthread.h>

static char *large; /* a route document of about 200 KB */

static int make_large(void **state)
{
    const size_t room = 1 << 20;
    size_t length;
    int i;
    (void)state;
    large = (char *)malloc(room);
    length = (size_t)snprintf(large, room, "{\"routable\":1,\"base\":\"https://h.test\",\"resources\":{");
    for (i = 0; i < 4000; i++)
        length += (size_t)snprintf(large + length, room - length, "%s\"r%d\":{\"path\":\"r%d\",\"can\":[\"read\"]}", i ? "," : "", i, i);
    snprintf(large + length, room - length, "}}");
    return 0;
}

static int free_large(void **state)
{
    (void)state;
    free(large);
    return 0;
}

/* Whether Swift's allocations are counted: the regular Swift runtime has its own allocator. */
static int counts(void)
{
    void *const ordinary = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (ordinary)
        dlclose(ordinary);
    return !ordinary;
}

static void limit_gives_memory_and_leaves_outputs(void **state)
{
    routable_router *const small = open_social();
    routable_router *router = (routable_router *)&large;
    routable_error *error = NULL;
    size_t room, before, refused = 0;
    (void)state;
    routable_set_memory_limit(0);
    if (!counts()) {
        routable_router_free(small);
        skip();
    }
    before = routable_memory_used();
    for (room = 1024; room <= 64 << 20; room *= 2) {
        routable_status status;
        routable_set_memory_limit(before + room);
        status = routable_router_open(large, ROUTABLE_NUL_TERMINATED, NULL, &router, &error);
        if (status == ROUTABLE_OK)
            break;
        check_status("a large document", status, ROUTABLE_ERR_MEMORY, error);
        assert_ptr_equal(router, &large);
        routable_error_free(error);
        check_size("used after a failure", routable_memory_used() <= before + 4096, 1);
        refused++;
    }
    assert_true(refused > 4);
    assert_int_equal(routable_router_resource_count(router), 4000);
    assert_true(routable_memory_used() > before + 400000);
    routable_router_free(router);
    /* Existing objects work with any limit that leaves space for a call. */
    routable_set_memory_limit(before + (64 << 10));
    check_walk(small, "user.status", "read", IDS("a", "3"), "GET", "https://api.example.com/v1/users/a/statuses/3");
    routable_set_memory_limit(0);
    routable_router_free(small);
}

static void *call_at_the_limit(void *given)
{
    const routable_router *const router = (const routable_router *)given;
    size_t turn, failed = 0;
    for (turn = 0; turn < 2000; turn++) {
        routable_string text = ROUTABLE_STRING_INIT;
        routable_error *error = NULL;
        const routable_status status = routable_router_document(router, &text, &error);
        if (status != ROUTABLE_OK && (status != ROUTABLE_ERR_MEMORY || text.ptr))
            return (void *)"another status, or an output";
        failed += status != ROUTABLE_OK;
        routable_error_free(error);
        routable_string_free(&text);
    }
    return failed ? NULL : (void *)"nothing was refused";
}

static void threads_at_the_limit(void **state)
{
    routable_router *const router = open_social();
    pthread_t threads[4];
    size_t i;
    (void)state;
    routable_set_memory_limit(0);
    if (!counts()) {
        routable_router_free(router);
        skip();
    }
    routable_set_memory_limit(routable_memory_used() + 64);
    for (i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_at_the_limit, router), 0);
    for (i = 0; i < 4; i++) {
        void *said = NULL;
        pthread_join(threads[i], &said);
        if (said)
            fail_msg("%s", (const char *)said);
    }
    routable_set_memory_limit(0);
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(limit_gives_memory_and_leaves_outputs), cmocka_unit_test(threads_at_the_limit) };
    return cmocka_run_group_tests(tests, make_large, free_large);
}
