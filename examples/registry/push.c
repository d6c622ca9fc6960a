/* push.c - pushes an image to a container registry: names with slashes, and upload locations that the service returns.
 *
 *     push DESCRIPTION BASE NAME TAG LAYOUT
 *     push examples/registry/registry.json http://127.0.0.1:5000 debian/tools/busybox 1 layout
 *
 * LAYOUT is a directory of the OCI image layout: index.json, and blobs/sha256/ with a file for each digest.  push.py does
 * the same and prints the same; `make check-services` starts Debian's docker-registry, runs both, and has skopeo pull the
 * image.
 */
#include <routable_jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct host {
    routable_router *registry;
    routable_client *client;
    const char *name;
    const char *layout;
    routable_error *error; /* of the call that failed */
} host;

/* The file of a blob in the layout. */
static const char *path_of(const host *it, const char *digest, char *path, size_t size)
{
    const char *const colon = strchr(digest, ':');
    const int algorithm = colon ? (int)(colon - digest) : 0;
    snprintf(path, size, "%s/blobs/%.*s/%s", it->layout, algorithm, digest, colon ? colon + 1 : digest);
    return path;
}

/* Builds a call below the repository; an `id` of NULL: of the repository itself. */
static routable_status build(
    host *it, const char *route, const char *operation, const char *id, const routable_argument *query, size_t query_count,
    routable_request **out)
{
    routable_call call = ROUTABLE_CALL_INIT;
    const routable_argument ids[] = { { NULL, routable_value_string(it->name) }, { NULL, routable_value_string(id ? id : "") } };
    call.route = route;
    call.operation = operation;
    call.ids = ids;
    call.id_count = id ? 2 : 1;
    call.query = query;
    call.query_count = query_count;
    return routable_request_new(it->registry, &call, out, &it->error);
}

/* Performs the request and frees it; `*response` is the answer, to free, also when its status is an error. */
static routable_status send(host *it, routable_request *request, routable_response **response)
{
    const routable_status status = routable_client_perform(it->client, request, response, &it->error);
    const int32_t code = status == ROUTABLE_OK ? routable_response_status(*response) : routable_error_http_status(it->error);
    printf("%s %d %s.%s\n", routable_request_method(request).ptr, (int)code, routable_request_route(request).ptr,
        routable_request_operation(request).ptr);
    routable_request_free(request);
    return status;
}

/* The value of `_state` in the query of a URL; a new reference, NULL if there is none. */
static json_t *state_of(host *it, const char *url)
{
    const char *const query = strchr(url, '?');
    json_t *pairs = NULL, *state = NULL, *pair;
    size_t index;
    if (!query || routable_form_to_jansson(query + 1, ROUTABLE_NUL_TERMINATED, &pairs, &it->error) != ROUTABLE_OK)
        return NULL;
    json_array_foreach(pairs, index, pair)
        if (strcmp(json_string_value(json_array_get(pair, 0)), "_state") == 0)
            state = json_incref(json_array_get(pair, 1));
    json_decref(pairs);
    return state;
}

/* To the session that the service has begun at `place`, which is read by the same description. */
static routable_status upload_to(host *it, const char *place, const char *digest)
{
    routable_match match;
    routable_string session = ROUTABLE_STRING_INIT;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_argument query[2] = { { "digest", routable_value_string(digest) }, { "_state", ROUTABLE_VALUE_INIT } };
    json_t *const state = state_of(it, place);
    char path[4096];
    routable_status status = routable_router_match(it->registry, "PUT", routable_str_from(place), 0, &match);
    query[1].value = routable_value_string(state ? json_string_value(state) : "");
    if (status == ROUTABLE_OK)
        status = routable_match_value(&match, routable_str_from(place), match.capture_count - 1, &session);
    if (status == ROUTABLE_OK)
        status = build(it, "repository.upload", "update", session.ptr, query, 2, &request);
    if (status == ROUTABLE_OK)
        status = routable_request_set_body_file(
            request, path_of(it, digest, path, sizeof path), "application/octet-stream", &it->error);
    if (status == ROUTABLE_OK)
        status = send(it, request, &response);
    else
        routable_request_free(request);
    routable_response_free(response);
    routable_string_free(&session);
    json_decref(state);
    return status;
}

/* Uploads a blob, unless the registry has it. */
static routable_status upload(host *it, const char *digest)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_status status = build(it, "repository.blob", "exists", digest, NULL, 0, &request);
    if (status == ROUTABLE_OK)
        status = send(it, request, &response);
    routable_response_free(response);
    if (status != ROUTABLE_ERR_HTTP_STATUS || routable_error_http_status(it->error) != 404)
        return status;
    routable_error_free(it->error);
    it->error = NULL;
    response = NULL;
    status = build(it, "repository", "start", NULL, NULL, 0, &request);
    if (status == ROUTABLE_OK)
        status = send(it, request, &response);
    if (status == ROUTABLE_OK)
        status = upload_to(it, routable_response_header(response, "Location").ptr, digest);
    routable_response_free(response);
    return status;
}

static routable_status push(host *it, const char *tag)
{
    char path[4096];
    json_t *index, *image, *layer;
    const char *digest, *type;
    size_t place;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_status status;

    snprintf(path, sizeof path, "%s/index.json", it->layout);
    index = json_load_file(path, 0, NULL);
    if (json_unpack(index, "{s:[{s:s, s:s}]}", "manifests", "digest", &digest, "mediaType", &type) != 0)
        return ROUTABLE_ERR_FILE;
    image = json_load_file(path_of(it, digest, path, sizeof path), 0, NULL);
    status = upload(it, json_string_value(json_object_get(json_object_get(image, "config"), "digest")));
    json_array_foreach(json_object_get(image, "layers"), place, layer)
        if (status == ROUTABLE_OK)
            status = upload(it, json_string_value(json_object_get(layer, "digest")));
    if (status == ROUTABLE_OK)
        status = build(it, "repository.manifest", "update", tag, NULL, 0, &request);
    if (status == ROUTABLE_OK)
        status = routable_request_set_body_file(request, path_of(it, digest, path, sizeof path), type, &it->error);
    if (status == ROUTABLE_OK)
        status = send(it, request, &response);
    routable_response_free(response);
    response = NULL;
    if (status == ROUTABLE_OK)
        status = build(it, "repository", "tags", NULL, NULL, 0, &request);
    if (status == ROUTABLE_OK)
        status = send(it, request, &response);
    if (status == ROUTABLE_OK)
        printf("%s", routable_response_body(response).ptr);
    routable_response_free(response);
    json_decref(image);
    json_decref(index);
    return status;
}

int main(int argc, char **argv)
{
    host it = { NULL, NULL, NULL, NULL, NULL };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_status status;
    if (argc != 6) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE NAME TAG LAYOUT\n", argv[0]);
        return 2;
    }
    options.base = argv[2];
    it.name = argv[3];
    it.layout = argv[5];
    status = routable_router_open_file(argv[1], &options, &it.registry, &it.error);
    if (status == ROUTABLE_OK)
        status = routable_client_new(NULL, &it.client, &it.error);
    if (status == ROUTABLE_OK)
        status = push(&it, argv[4]);
    if (status != ROUTABLE_OK)
        fprintf(stderr, "%s: %s\n", routable_status_name(status), it.error ? routable_error_message(it.error).ptr : "");
    routable_error_free(it.error);
    routable_client_free(it.client);
    routable_router_free(it.registry);
    return status == ROUTABLE_OK ? 0 : 1;
}
