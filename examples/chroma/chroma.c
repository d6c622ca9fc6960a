/* chroma.c - a service that publishes an OpenAPI document: fetches and opens the document, then performs a workflow with
 * nested resources.
 *
 *     chroma SERVICE      chroma http://127.0.0.1:8000
 *
 * The program contains only the names of Chroma's operations.  chroma.py does the same and prints the same
 * bytes; `make check-services` starts Chroma and runs both.
 */
#include <routable_jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const tenant = "t/1 \xC3\xA9"; /* one segment of the path, whatever it contains */

typedef struct host {
    routable_router *chroma;
    routable_client *client;
    int surprises;
} host;

static void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

static routable_router *open_text(routable_str document, const char *uri)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    options.uri = uri;
    if (routable_router_open(document.ptr, document.len, &options, &router, &error) != ROUTABLE_OK) fail("open", error);
    return router;
}

/* Fetches the OpenAPI document of the service, and opens it. */
static void open_service(host *it, const char *service)
{
    char text[1024], uri[512];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_router *here;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    snprintf(uri, sizeof uri, "%s/openapi.json", service);
    snprintf(text, sizeof text, "{\"routable\":1,\"base\":\"%s\",\"operations\":{\"document\":{\"get\":\"/openapi.json\"}}}", service);
    here = open_text(routable_str_from(text), NULL);
    call.operation = "document";
    if (routable_client_new(NULL, &it->client, &error) != ROUTABLE_OK ||
        routable_request_new(here, &call, &request, &error) != ROUTABLE_OK ||
        routable_client_perform(it->client, request, &response, &error) != ROUTABLE_OK)
        fail(uri, error);
    it->chroma = open_text(routable_response_body(response), uri);
    printf("%s: %zu operations, %zu types\n\n", routable_router_name(it->chroma).ptr,
        routable_router_operation_count(it->chroma), routable_router_type_count(it->chroma));
    routable_response_free(response);
    routable_request_free(request);
    routable_router_free(here);
}

/* Builds a call, prints it, performs it and prints the response.  `status` is the expected HTTP status; 0 if nothing should be
 * sent.  The function takes ownership of the call.  Returns the value of a success, which the caller must free, or NULL. */
static json_t *run(host *it, const char *title, int status, json_t *call)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    const routable_response *answer = NULL;
    json_t *value = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    policy.flags = ROUTABLE_POLICY_NO_AUTH; /* the document requires a token, which a service without accounts does not have */
    printf("%s\n", title);
    if (routable_request_new_jansson(it->chroma, call, &request, &error) == ROUTABLE_OK) {
        printf("  -> %s %s\n", routable_request_method(request).ptr, routable_request_url(request).ptr);
        if (routable_request_has_body(request))
            printf("     %s\n", routable_request_body(request).ptr);
        if (routable_client_perform_with(it->client, request, &policy, &response, &error) == ROUTABLE_OK)
            answer = response;
    }
    if (error) {
        const routable_str pointer = routable_error_pointer(error);
        printf("  !! %s%s%s: %s\n", routable_status_name(routable_error_status(error)), pointer.len ? " " : "", pointer.ptr,
            routable_error_message(error).ptr);
        answer = routable_error_response(error);
    }
    if (answer) {
        const routable_str type = routable_response_type(answer), body = routable_response_body(answer);
        printf("  <- %d %s%s%s\n     %s\n", (int)routable_response_status(answer),
            routable_outcome_name(routable_response_outcome(answer)), type.len ? ", " : "", type.ptr, body.ptr);
        if (routable_response_status(answer) < 300)
            value = json_loadb(body.ptr, body.len, JSON_DECODE_ANY, NULL);
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
    return value;
}

/* For responses whose value is only printed. */
static void show(host *it, const char *title, int status, json_t *call) { json_decref(run(it, title, status, call)); }

static json_t *books(json_t *ids)
{
    return json_pack("{s:o, s:[[f,f,f],[f,f,f]], s:[s,s], s:[{s:s},{s:s}]}", "ids", ids, "embeddings", 1.0, 0.0, 0.5, 0.25, 1.0,
        0.0, "documents", "sand", "an ocean", "metadatas", "by", "Herbert", "by", "Lem");
}

int main(int count, char **arguments)
{
    host it = { NULL, NULL, 0 };
    json_t *shelf, *place, *inside;
    if (count != 2) {
        fprintf(stderr, "usage: chroma SERVICE\n");
        return 2;
    }
    open_service(&it, arguments[1]);
    place = json_pack("{s:s, s:s}", "tenant", tenant, "database", "books");
    show(&it, "A tenant", 200, json_pack("{s:s, s:{s:s}}", "operation", "create_tenant", "body", "name", tenant));
    show(&it, "A database in it", 200,
        json_pack("{s:s, s:[s], s:{s:s}}", "operation", "create_database", "ids", tenant, "body", "name", "books"));
    show(&it, "A database without its name is refused here", 0,
        json_pack("{s:s, s:[s], s:{s:s}}", "operation", "create_database", "ids", tenant, "body", "title", "books"));
    shelf = run(&it, "A collection in that", 200,
        json_pack("{s:s, s:O, s:{s:s}}", "operation", "create_collection", "ids", place, "body", "name", "shelf"));
    inside = json_copy(place);
    json_object_set_new(inside, "collection_id", json_string(json_string_value(json_object_get(shelf, "id"))));
    show(&it, "Books that are no list are refused here", 0,
        json_pack("{s:s, s:O, s:o}", "operation", "collection_add", "ids", inside, "body", books(json_string("dune"))));
    show(&it, "Books", 201,
        json_pack("{s:s, s:O, s:o}", "operation", "collection_add", "ids", inside, "body", books(json_pack("[s,s]", "dune", "solaris"))));
    show(&it, "How many", 200, json_pack("{s:s, s:O}", "operation", "collection_count", "ids", inside));
    show(&it, "The nearest", 200,
        json_pack("{s:s, s:O, s:{s:i}, s:{s:[[f,f,f]], s:i, s:[s,s]}}", "operation", "collection_query", "ids", inside, "query", "limit",
            5, "body", "query_embeddings", 0.9, 0.1, 0.5, "n_results", 1, "include", "documents", "distances"));
    show(&it, "A limit that is no number is refused here", 0,
        json_pack("{s:s, s:O, s:{s:s}}", "operation", "list_collections", "ids", place, "query", "limit", "all"));
    show(&it, "A mistyped operation", 0, json_pack("{s:s, s:O}", "operation", "colection_count", "ids", inside));
    show(&it, "A tenant that is not there", 404, json_pack("{s:s, s:[s]}", "operation", "get_tenant", "ids", "nobody"));
    show(&it, "Back again", 200, json_pack("{s:s, s:O}", "operation", "delete_database", "ids", place));
    json_decref(shelf);
    json_decref(place);
    json_decref(inside);
    routable_client_free(it.client);
    routable_router_free(it.chroma);
    return it.surprises != 0;
}
