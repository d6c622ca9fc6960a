/* Keys, leases, and a watch, in etcd, from C:  etcd DESCRIPTION BASE */
#include "../recorded.h"

/* The first event of the key "bell" (YmVsbA==), which is changed after the watch has begun. */
static void watch(run *all)
{
    static const char call[] = "{\"operation\":\"watch\",\"body\":{\"create_request\":{\"key\":\"YmVsbA==\"}}}";
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_request *request = NULL;
    routable_stream *stream = NULL;
    routable_stream_item item = ROUTABLE_STREAM_ITEM_INIT;
    routable_error *error = NULL;
    routable_status status = routable_request_new_json(all->api, call, ROUTABLE_NUL_TERMINATED, &request, &error);
    int done = 0;
    options.kind = ROUTABLE_STREAM_LINES;
    if (status == ROUTABLE_OK)
        status = routable_stream_open(all->client, request, &options, NULL, &stream, &error);
    while (status == ROUTABLE_OK && !done && (status = routable_stream_next(stream, 20000, &item, &error)) == ROUTABLE_OK) {
        routable_json_values *json = NULL;
        if (routable_json_values_read(item.data.ptr, item.data.len, &json, NULL) == ROUTABLE_OK) {
            const routable_str value = routable_json_string(json, routable_json_at(json, ROUTABLE_STR("/result/events/0/kv/value")));
            if (routable_json_boolean(json, routable_json_at(json, ROUTABLE_STR("/result/created"))))
                run_call(all, "change it", "{\"operation\":\"put\",\"body\":{\"key\":\"YmVsbA==\",\"value\":\"ZGluZw==\"}}", 200, NULL);
            if (value.len) {
                printf("watch: value, %.*s\n", (int)value.len, value.ptr);
                done = 1;
            }
        }
        routable_json_values_free(json);
    }
    all->calls++;
    all->values += done;
    if (!done) {
        printf("watch: exception, %s   <-- not expected\n", error ? routable_error_message(error).ptr : routable_status_name(status));
        all->surprises++;
    }
    routable_error_free(error);
    routable_stream_free(stream);
    routable_request_free(request);
}

int main(int count, char **words)
{
    static const char *const version[] = { "/prev_kv/version", NULL };
    static const char *const pair[] = { "/kvs/0/key", "/kvs/0/value", "/count", NULL };
    static const char *const deleted[] = { "/deleted", NULL };
    static const char *const lease[] = { "/ID", "/TTL", NULL };
    static const char *const reason[] = { "/code", "/error", NULL };
    run all = { "etcd", NULL, NULL, 0, 0, 0, 0, 0, 0 };
    if (count != 3 || !run_open(&all, words[1], words[2]))
        return 2;
    run_call(&all, "put", "{\"operation\":\"put\",\"body\":{\"key\":\"dGVhLzE=\",\"value\":\"QXNzYW0=\"}}", 200, NULL);
    run_call(&all, "put again", "{\"operation\":\"put\",\"body\":{\"key\":\"dGVhLzE=\",\"value\":\"w4dheQ==\",\"prev_kv\":true}}", 200, version);
    run_call(&all, "get", "{\"operation\":\"range\",\"body\":{\"key\":\"dGVhLzE=\"}}", 200, pair);
    run_call(&all, "get nothing", "{\"operation\":\"range\",\"body\":{\"key\":\"Y29mZmVl\"}}", 200, pair);
    run_call(&all, "lease", "{\"operation\":\"grant\",\"body\":{\"TTL\":60,\"ID\":77}}", 200, lease);
    run_call(&all, "revoke", "{\"operation\":\"revoke\",\"body\":{\"ID\":\"77\"}}", 200, NULL);
    watch(&all);
    run_call(&all, "delete", "{\"operation\":\"remove\",\"body\":{\"key\":\"dGVhLw==\",\"range_end\":\"dGVhMA==\"}}", 200, deleted);
    run_call(&all, "an empty key", "{\"operation\":\"put\",\"body\":{\"key\":\"\"}}", 400, reason);
    run_call(&all, "no lease", "{\"operation\":\"revoke\",\"body\":{\"ID\":\"7\"}}", 404, reason);
    run_call(&all, "a key that is no string", "{\"operation\":\"put\",\"body\":{\"key\":7}}", 0, NULL);
    return run_end(&all);
}
