/* Allocations and growth of generated C: URLs of many operations without an allocation once their plans exist, and
 * reading a response, deep or flat, in time proportional to its length. */
#include "check.h"
#include "many.h"
#include "tree.h"

#include <time.h>

extern void *__libc_malloc(size_t size);
static size_t allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

static double spent(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int writes(many *api)
{
    char url[256];
    size_t length, before;
    CHECK(sizeof(many) <= 64 && sizeof(many_item) <= 64);
    for (int round = 0; round < 3; round++) {
        before = allocations;
#define URL(NUMBER) \
        CHECK(many_op##NUMBER##_url(api, url, sizeof url, &length, NULL) == ROUTABLE_OK);
        URLS
        CHECK(round == 0 || allocations == before);
    }
    return 0;
}

/* Seconds per byte to read a tree with this number of levels and of leaves on each. */
static double reads(tree *api, int levels, int leaves)
{
    size_t capacity = (size_t)levels * ((size_t)leaves + 2) * 64;
    char *json = (char *)malloc(capacity);
    size_t length = 0;
    double best = 1;
    for (int level = 0; level < levels; level++) {
        length += (size_t)snprintf(json + length, capacity - length, "{\"name\":\"level %d\",\"children\":[", level);
        for (int leaf = 0; leaf < leaves; leaf++)
            length += (size_t)snprintf(json + length, capacity - length, "{\"name\":\"leaf\",\"children\":[]},");
    }
    length += (size_t)snprintf(json + length, capacity - length, "{\"name\":\"end\",\"children\":[]}");
    for (int level = 0; level < levels; level++)
        length += (size_t)snprintf(json + length, capacity - length, "]}");
    for (int round = 0; round < 3; round++) {
        tree_node_data_result result = TREE_NODE_DATA_RESULT_INIT;
        routable_response *response = NULL;
        routable_str body;
        double start;
        body.ptr = json;
        body.len = length;
        if (routable_response_map(api->typed.router, NULL, "read", 200, NULL, 0, body, &response, NULL) != ROUTABLE_OK)
            return -1;
        start = spent();
        tree_read_from_response(response, &result);
        if (!result.value)
            return -1;
        if (spent() - start < best)
            best = spent() - start;
        tree_node_data_result_free(&result);
    }
    free(json);
    return best / (double)length;
}

int main(int count, char **words)
{
    many api;
    tree nodes;
    double flat, deep;
    CHECK(count >= 2 && many_open_file(&api, words[1], NULL, NULL) == ROUTABLE_OK);
    CHECK(writes(&api) == 0);
    many_close(&api);
    if (count == 2)
        return 0;
    CHECK(tree_open_file(&nodes, words[2], NULL, NULL) == ROUTABLE_OK);
    flat = reads(&nodes, 2, 60000);
    deep = reads(&nodes, 120, 1000);
    CHECK(flat > 0 && deep > 0);
    if (deep > flat * 3) {
        printf("a byte of a deep tree takes %.2f ns, and one of a flat tree %.2f ns\n", deep * 1e9, flat * 1e9);
        return 1;
    }
    tree_close(&nodes);
    return 0;
}
