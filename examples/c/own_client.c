/* own_client.c - a program with its own HTTP client: Routable builds the requests and maps the responses, and the program's
 * own CURL * performs them.
 *
 *     own_client DESCRIPTION BASE USER
 *     cc -o own_client examples/c/own_client.c $(pkg-config --cflags --libs routable libcurl)
 *
 * libroutable never sees the handle: routable_curl.h is compiled into this program and calls the libcurl that this
 * program is linked with.
 */
#include <routable_curl.h>
#include <stdio.h>

/* Performs a call with the program's own handle, and maps the response. */
static routable_status fetch(CURL *curl, const routable_router *api, const routable_call *call,
    routable_response **response, routable_error **error)
{
    routable_request *request = NULL;
    struct curl_slist *headers = NULL;
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    routable_status status = routable_request_new(api, call, &request, error);
    if (status == ROUTABLE_OK) {
        CURLcode code = routable_curl_apply(curl, request, &headers);
        if (code == CURLE_OK)
            code = routable_curl_collect(curl, &answer);
        if (code == CURLE_OK)
            code = curl_easy_perform(curl);
        if (code == CURLE_OK) {
            status = routable_curl_map(curl, &answer, api, call->route, call->operation, response, error);
        } else {
            fprintf(stderr, "%s: %s\n", routable_request_url(request).ptr, curl_easy_strerror(code));
            status = ROUTABLE_ERR_TRANSFER;
        }
    }
    routable_curl_response_free(&answer);
    curl_slist_free_all(headers);
    routable_request_free(request);
    return status;
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *api = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_argument user = { NULL, { 0, 0, { 0 } } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_status status;
    CURL *curl;

    if (count != 4) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE USER\n", arguments[0]);
        return 2;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 10000L); /* other options are those of the program */
    options.base = arguments[2];
    user.value = routable_value_string(arguments[3]);
    call.route = "user";
    call.operation = "read";
    call.ids = &user;
    call.id_count = 1;

    status = routable_router_open_file(arguments[1], &options, &api, &error);
    if (status == ROUTABLE_OK)
        status = fetch(curl, api, &call, &response, &error);
    if (status == ROUTABLE_OK)
        printf("%d %s\n", (int)routable_response_status(response), routable_response_body(response).ptr);
    if (error)
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);

    routable_error_free(error);
    routable_response_free(response);
    routable_router_free(api);
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    return status != ROUTABLE_OK;
}
