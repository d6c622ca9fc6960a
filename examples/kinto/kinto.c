/* kinto.c - a real service with three levels: buckets, collections, records; and its error responses.
 *
 *     kinto DESCRIPTION BASE USER:PASSWORD      kinto examples/kinto/kinto.json http://127.0.0.1:8888/v1 ada:secret
 *
 * Each call is a json_t, as in programs that use jansson.  kinto.py does the same and prints the same bytes;
 * `make check-services` starts Kinto and runs both.
 */
#include <routable_jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct host {
    routable_router *kinto;
    routable_client *client;
    char etag[64]; /* of the last response that had one */
    int surprises;
} host;

static void print_request(const routable_request *request)
{
    size_t i;
    printf("  -> %s %s\n", routable_request_method(request).ptr, routable_request_url(request).ptr);
    for (i = 0; i < routable_request_header_count(request); i++) {
        const routable_header header = routable_request_header_at(request, i);
        printf("     %s: %s\n", header.name.ptr, header.value.ptr);
    }
    if (routable_request_has_body(request))
        printf("     %s\n", routable_request_body(request).ptr);
}

static void print_response(const routable_response *response)
{
    const routable_str etag = routable_response_header(response, "ETag");
    printf("  <- %d %s%s%s\n     %s\n", (int)routable_response_status(response),
        routable_outcome_name(routable_response_outcome(response)), etag.len ? ", ETag " : "", etag.ptr,
        routable_response_body(response).ptr);
}

/* Builds a call, prints it, performs it and prints the response.  `status` is the expected HTTP status; 0 if nothing should be
 * sent.  The function takes ownership of the call. */
static void run(host *it, const char *title, int status, int with_credential, json_t *call)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    const routable_response *answer = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    if (!with_credential)
        policy.flags = ROUTABLE_POLICY_NO_AUTH;
    printf("%s\n", title);
    if (routable_request_new_jansson(it->kinto, call, &request, &error) == ROUTABLE_OK) {
        print_request(request);
        if (routable_client_perform_with(it->client, request, &policy, &response, &error) == ROUTABLE_OK)
            answer = response;
    }
    if (error) {
        printf("  !! %s: %s\n", routable_status_name(routable_error_status(error)), routable_error_message(error).ptr);
        answer = routable_error_response(error);
    }
    if (answer) {
        print_response(answer);
        if (routable_response_header(answer, "ETag").len)
            snprintf(it->etag, sizeof it->etag, "%s", routable_response_header(answer, "ETag").ptr);
    }
    if ((answer ? (int)routable_response_status(answer) : 0) != status) {
        printf("  ?? %d was expected\n", status);
        it->surprises++;
    }
    putchar('\n');
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
    json_decref(call);
}

/* A call of the record "b"; `etag` NULL: unconditionally. */
static json_t *on_record(const char *operation, const char *etag, json_t *body)
{
    json_t *const call = json_pack("{s:s, s:s, s:[s,s,s]}", "route", "bucket.collection.record", "operation", operation, "ids",
        "library", "books", "b");
    if (etag)
        json_object_set_new(call, "headers", json_pack("{s:s}", "If-Match", etag));
    if (body)
        json_object_set_new(call, "body", body);
    return call;
}

static json_t *book(const char *id, const char *title, int rating)
{
    return json_pack("{s:{s:s, s:s, s:i}}", "data", "id", id, "title", title, "rating", rating);
}

static json_t *new_record(json_t *body)
{
    return json_pack("{s:s, s:s, s:[s,s], s:o}", "route", "bucket.collection.record", "operation", "create", "ids", "library",
        "books", "body", body);
}

static void run_all(host *it)
{
    char first_etag[64];

    run(it, "A bucket", 201, 1,
        json_pack("{s:s, s:s, s:[s], s:{s:{}}}", "route", "bucket", "operation", "update", "ids", "library", "body", "data"));
    run(it, "A collection in it", 201, 1,
        json_pack("{s:s, s:s, s:[s,s], s:{s:{}}}", "route", "bucket.collection", "operation", "update", "ids", "library", "books",
            "body", "data"));
    run(it, "Records in that", 201, 1, new_record(book("a", "Emma", 3)));
    run(it, "Another", 201, 1, new_record(book("b", "Caf\xC3\xA9 & \"bar\"", 5)));
    run(it, "And one more", 201, 1, new_record(book("c", "Ulysses", 4)));

    run(it, "Those rated 4 and more, the best first, two fields of each", 200, 1,
        json_pack("{s:s, s:s, s:[s,s], s:{s:i, s:s, s:[s,s]}}", "route", "bucket.collection.record", "operation", "list", "ids",
            "library", "books", "query", "min_rating", 4, "_sort", "-rating", "_fields", "title", "rating"));
    run(it, "Those with a word in the title", 200, 1,
        json_pack("{s:s, s:s, s:[s,s], s:{s:s, s:s}}", "route", "bucket.collection.record", "operation", "list", "ids", "library",
            "books", "query", "like_title", "caf\xC3\xA9 &", "_sort", "title"));

    run(it, "One record", 200, 1, on_record("read", NULL, NULL));
    memcpy(first_etag, it->etag, sizeof first_etag);
    run(it, "Updated, if it is still that one", 200, 1, on_record("update", first_etag, book("b", "Caf\xC3\xA9", 2)));
    run(it, "It no longer is: 412, with the service's own words", 412, 1,
        on_record("update", first_etag, book("b", "Bar", 1)));
    run(it, "A record that is not there: 404", 404, 1,
        json_pack("{s:s, s:s, s:[s,s,s]}", "route", "bucket.collection.record", "operation", "read", "ids", "library", "books", "z"));
    run(it, "Without a credential: 401", 401, 0, on_record("read", NULL, NULL));

    run(it, "Refused here, nothing is sent: a sort order that does not exist", 0, 1,
        json_pack("{s:s, s:s, s:[s,s], s:{s:s}}", "route", "bucket.collection.record", "operation", "list", "ids", "library",
            "books", "query", "_sort", "colour"));
    run(it, "Refused here: a record is only reachable in its collection", 0, 1,
        json_pack("{s:s, s:s, s:[s]}", "route", "record", "operation", "read", "ids", "b"));

    run(it, "The record as it is now", 200, 1, on_record("read", NULL, NULL));
    run(it, "Deleted, if it is that one", 200, 1, on_record("delete", it->etag, NULL));
    run(it, "The bucket with all that it holds", 200, 1,
        json_pack("{s:s, s:s, s:[s]}", "route", "bucket", "operation", "delete", "ids", "library"));
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_credential account = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    const char *const colon = count == 4 ? strchr(arguments[3], ':') : NULL;
    host it;
    memset(&it, 0, sizeof it);
    if (!colon) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE USER:PASSWORD\n", arguments[0]);
        return 2;
    }
    options.base = arguments[2];
    account.scheme = "account"; /* of the description */
    account.user = (routable_str) { arguments[3], (size_t)(colon - arguments[3]) };
    account.password = routable_str_from(colon + 1);
    if (routable_router_open_file(arguments[1], &options, &it.kinto, &error) == ROUTABLE_OK &&
        routable_client_new(NULL, &it.client, &error) == ROUTABLE_OK &&
        routable_client_set_credential(it.client, &account, &error) == ROUTABLE_OK)
        run_all(&it);
    if (error)
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    count = error != NULL || it.surprises;
    routable_error_free(error);
    routable_client_free(it.client);
    routable_router_free(it.kinto);
    return count;
}
