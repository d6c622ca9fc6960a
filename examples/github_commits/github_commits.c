/* github_commits.c - the example of jansson's tutorial: the latest commits of a repository, one line for each.
 *
 *     github_commits DESCRIPTION BASE OWNER REPOSITORY
 *     cc -o github_commits github_commits.c $(pkg-config --cflags --libs routable jansson)
 *
 * In jansson's tutorial the same task requires a URL written with snprintf, a buffer, a write callback, a check of the status and
 * a check of every type on the way to the message.
 */
#include <routable_jansson.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    routable_client_options waiting = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_router *github = NULL;
    routable_client *client = NULL;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *call, *commits = NULL, *commit;
    json_error_t why = { .text = "" };
    const char *sha, *message;
    size_t i;

    if (count != 5) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE OWNER REPOSITORY\n", arguments[0]);
        return 2;
    }
    waiting.deadline_ms = 1000;
    call = json_pack("{s:s, s:s, s:{s:s, s:s}}", "operation", "commits", "base", arguments[2], "ids", "owner", arguments[3],
        "repository", arguments[4]);

    if (routable_router_open_file(arguments[1], NULL, &github, &error) == ROUTABLE_OK &&
        routable_client_new(&waiting, &client, &error) == ROUTABLE_OK &&
        routable_request_new_jansson(github, call, &request, &error) == ROUTABLE_OK &&
        routable_client_perform(client, request, &response, &error) == ROUTABLE_OK &&
        routable_response_body_jansson(response, &commits, &error) == ROUTABLE_OK) {
        json_array_foreach(commits, i, commit) {
            if (json_unpack_ex(commit, &why, 0, "{s:s, s:{s:s}}", "sha", &sha, "commit", "message", &message) != 0)
                break;
            printf("%.8s %.*s\n", sha, (int)strcspn(message, "\n"), message);
        }
    }
    if (error) {
        const routable_response *const answer = routable_error_response(error);
        fprintf(stderr, "%s: %s\n", routable_status_name(routable_error_status(error)), routable_error_message(error).ptr);
        if (answer)
            fprintf(stderr, "%d %s\n", (int)routable_response_status(answer), routable_response_body(answer).ptr);
    } else if (*why.text || !json_is_array(commits)) {
        fprintf(stderr, "not a list of commits: %s\n", *why.text ? why.text : routable_response_body(response).ptr);
    }
    count = error || *why.text || !json_is_array(commits);

    json_decref(commits);
    json_decref(call);
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(github);
    return count;
}
