/* Torrents and settings of Transmission, from C:  transmission DESCRIPTION BASE USER PASSWORD */
#include "../recorded.h"

/* Requests the session id with a separate client: the response to a request without one is 409, and has it in a header. */
static void renew(routable_refresh *refresh, void *user_data)
{
    const run *const asking = user_data;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_str id;
    routable_status status =
        routable_request_new_json(asking->api, "{\"operation\":\"handshake\"}", ROUTABLE_NUL_TERMINATED, &request, &error);
    if (status == ROUTABLE_OK)
        status = routable_client_perform(asking->client, request, &response, &error);
    id = routable_response_header(response, "X-Transmission-Session-Id");
    if (status == ROUTABLE_OK)
        (void)!routable_refresh_finish(refresh, id, 0, NULL);
    else
        routable_refresh_fail(refresh, routable_error_message(error));
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
}

static int set(run *all, const char *scheme, char **login, run *asking)
{
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    credential.scheme = scheme;
    if (asking) {
        credential.refresh = renew;
        credential.user_data = asking;
    } else {
        credential.user = routable_str_from(login[0]);
        credential.password = routable_str_from(login[1]);
    }
    if (routable_client_set_credential(all->client, &credential, &error) == ROUTABLE_OK)
        return 1;
    fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    routable_error_free(error);
    return 0;
}

int main(int count, char **words)
{
    static const char *const version[] = { "/arguments/rpc-version", NULL };
    static const char *const torrents[] = { "/arguments/torrentCount", NULL };
    static const char *const result[] = { "/result", NULL };
    run all = { "Transmission", NULL, NULL, 0, 0, 0, 0, 0, 0 }, asking = { "", NULL, NULL, 0, 0, 0, 0, 0, 0 };
    int ended;
    if (count != 5 || !run_open(&all, words[1], words[2]) || !run_open(&asking, words[1], words[2]) ||
        !set(&asking, "login", words + 3, NULL) || !set(&all, "login", words + 3, NULL) || !set(&all, "session", NULL, &asking))
        return 2;
    run_call(&all, "session", "{\"operation\":\"session\",\"body\":{\"method\":\"session-get\"}}", 200, version);
    run_call(&all, "configure",
        "{\"operation\":\"configure\",\"body\":{\"method\":\"session-set\",\"arguments\":{\"speed-limit-down\":7}}}", 200, result);
    run_call(&all, "stats", "{\"operation\":\"stats\",\"body\":{\"method\":\"session-stats\"}}", 200, torrents);
    run_call(&all, "a torrent that is none",
        "{\"operation\":\"add\",\"body\":{\"method\":\"torrent-add\",\"arguments\":{\"metainfo\":\"bm9uZQ==\"}}}", 200, result);
    run_call(&all, "no such method", "{\"operation\":\"unknown\",\"body\":{\"method\":\"no-such-method\"}}", 200, result);
    run_call(&all, "a setting that is not declared",
        "{\"operation\":\"configure\",\"body\":{\"method\":\"session-set\",\"arguments\":{\"speed-limit\":1}}}", 0, NULL);
    ended = run_end(&all);
    routable_client_free(asking.client);
    routable_router_free(asking.api);
    return ended;
}
