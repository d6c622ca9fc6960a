/* jansson_host.c - a program with jansson: calls and responses are json_t values.
 *
 *     jansson_host DESCRIPTION BASE USER TEXT      posts a status for USER and prints what was stored
 *     cc -o jansson_host examples/c/jansson_host.c $(pkg-config --cflags --libs routable jansson)
 */
#include <routable_jansson.h>
#include <stdio.h>

/* Uses json_unpack_ex instead of a type check for each field. */
static int print_status(const json_t *status)
{
    const char *id, *text;
    json_error_t why;
    if (json_unpack_ex((json_t *)status, &why, 0, "{s:s, s:s}", "id", &id, "text", &text) != 0) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    printf("status %s: %s\n", id, text);
    return 0;
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *api = NULL;
    routable_client *client = NULL;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *call, *value = NULL;
    int result = 1;

    if (count != 5) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE USER TEXT\n", arguments[0]);
        return 2;
    }
    options.base = arguments[2];
    call = json_pack("{s:s, s:s, s:[s], s:{s:s}}", "route", "user.status", "operation", "create", "ids", arguments[3], "body",
        "text", arguments[4]);
    if (call && routable_router_open_file(arguments[1], &options, &api, &error) == ROUTABLE_OK &&
        routable_request_new_jansson(api, call, &request, &error) == ROUTABLE_OK &&
        routable_client_new(NULL, &client, &error) == ROUTABLE_OK &&
        routable_client_perform(client, request, &response, &error) == ROUTABLE_OK &&
        routable_response_body_jansson(response, &value, &error) == ROUTABLE_OK)
        result = print_status(value);
    if (error)
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);

    json_decref(value);
    json_decref(call); /* borrowed by routable_request_new_jansson: still ours */
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(api);
    return result;
}
