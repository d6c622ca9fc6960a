/* read.c - measures the reading of a received request (routable_service.h), compared with the parts of that work that a
 * program could call directly: matching the path, and validating the body.
 *
 *   read DESCRIPTION SCHEMA BODY      SCHEMA is the schema of the body as a separate document
 *
 * The contenders alternate, so that the ratio is stable on a busy machine; the minimum and the median of the rounds. */
#include "../c/measure.h"

#include <routable_service.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static routable_router *api;
static routable_schema *order; /* for the body */
static routable_received *reused;
static routable_incoming post = ROUTABLE_INCOMING_INIT, get = ROUTABLE_INCOMING_INIT;

static void parts(void *context)
{
    routable_match match = ROUTABLE_MATCH_INIT;
    routable_error *error = NULL;
    (void)context;
    if (routable_router_match(api, "POST", post.target, ROUTABLE_MATCH_WHOLE_PATH, &match) != ROUTABLE_OK) fail("match", NULL);
    if (routable_schema_validate(order, post.body.ptr, post.body.len, 1, &error) != ROUTABLE_OK) fail("schema", error);
}

static void read_new(void *context)
{
    routable_received *received = NULL;
    routable_error *error = NULL;
    (void)context;
    if (routable_received_new(api, &post, NULL, &received, &error) != ROUTABLE_OK) fail("received_new", error);
    routable_received_free(received);
}

static void read_again(routable_incoming *incoming)
{
    routable_error *error = NULL;
    if (routable_received_reset(reused, incoming, NULL, &error) != ROUTABLE_OK) fail("received_reset", error);
}

static void read_reset(void *context) { (void)context; read_again(&post); }
static void read_get(void *context) { (void)context; read_again(&get); }

static double blocks(void (*job)(void *))
{
    enum { TIMES = 1000 };
    job(NULL);
    const size_t before = allocations;
    for (int index = 0; index < TIMES; index++) job(NULL);
    return (double)(allocations - before) / TIMES;
}

static routable_str file(const char *name)
{
    FILE *const stream = fopen(name, "rb");
    if (!stream || fseek(stream, 0, SEEK_END)) fail(name, NULL);
    const size_t length = (size_t)ftell(stream);
    char *const text = calloc(1, length + 1);
    rewind(stream);
    if (fread(text, 1, length, stream) != length) fail(name, NULL);
    fclose(stream);
    return (routable_str){ text, length };
}

int main(int count, char **arguments)
{
    static const routable_header json = { ROUTABLE_STR("Content-Type"), ROUTABLE_STR("application/json") };
    routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
    routable_error *error = NULL;
    if (count != 4) {
        fprintf(stderr, "usage: read DESCRIPTION SCHEMA BODY\n");
        return 2;
    }
    const routable_str description = file(arguments[1]);
    if (routable_router_open(description.ptr, description.len, NULL, &api, &error) != ROUTABLE_OK) fail(arguments[1], error);
    const routable_str schema = file(arguments[2]);
    if (routable_schema_open(schema.ptr, schema.len, &options, &order, &error) != ROUTABLE_OK) fail(arguments[2], error);
    post.method = "POST", post.target = (routable_str)ROUTABLE_STR("/v1/customers/4711/orders");
    post.headers = &json, post.header_count = 1, post.body = file(arguments[3]);
    get.method = "GET", get.target = (routable_str)ROUTABLE_STR("/v1/customers/4711/orders/ord_0123456789ABCDEF");
    if (routable_received_new(api, &get, NULL, &reused, &error) != ROUTABLE_OK) fail("received_new", error);
    contender of_post[] = {
        { "matching, and validating the body", parts, { 0 } },
        { "reading with a new object", read_new, { 0 } },
        { "reading into a used object", read_reset, { 0 } },
        { "reading a GET into a used object", read_get, { 0 } },
    };
    compete(of_post, 4, NULL, 1);
    printf("allocations: parts %.3f, new object %.3f, used object %.3f, GET into a used object %.3f\n", blocks(parts), blocks(read_new),
           blocks(read_reset), blocks(read_get));
    routable_received_free(reused);
    routable_schema_free(order);
    routable_router_free(api);
    return 0;
}
