/* demo.c - a tour of the main functions: the map, requests as they are sent, responses, and rejected calls.
 *
 *     demo DESCRIPTION BASE        demo examples/social.json http://127.0.0.1:8080/v1
 *
 * examples/service/social_service.py is the service; examples/python/demo.py does the same and prints the
 * same bytes; `make demo` runs all three.
 */
#define _POSIX_C_SOURCE 200809L

#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The calls: a route, an operation, the ids from the outermost to the innermost, and further arguments --- */

typedef struct step {
    const char *title;
    const char *route, *operation;
    const char *ids[5];  /* by position */
    const char *body;    /* JSON */
    const char *form[4]; /* undeclared parameters: name, value, name, value */
    const char *query;   /* the value of the declared parameter q */
    const char *id_name; /* passes the first id by this name instead */
} step;

static const step allowed[] = {
    { .title = "A user", .route = "user", .operation = "create",
      .body = "{\"username\":\"initFabian\",\"name\":\"Fabian\"}" },
    { .title = "A status below the user", .route = "user.status", .operation = "create", .ids = { "initFabian" },
      .body = "{\"id\":\"3\",\"text\":\"Rethinking routers\"}" },
    { .title = "A picture: undeclared parameters become a form", .route = "user.picture", .operation = "create",
      .ids = { "initFabian" }, .form = { "title", "sea & sand, 100%", "id", "7" } },
    { .title = "A comment below the status", .route = "user.status.comment", .operation = "create",
      .ids = { "initFabian", "3" }, .body = "{\"id\":\"32352\",\"text\":\"tr\xC3\xA8s nice\"}" },
    { .title = "A user below the comment", .route = "user.status.comment.user", .operation = "create",
      .ids = { "initFabian", "3", "32352" }, .body = "{\"username\":\"fakeUser\"}" },
    { .title = "Read at the end of the walk", .route = "user.status.comment.user", .operation = "read",
      .ids = { "initFabian", "3", "32352", "fakeUser" } },
    { .title = "Update the comment", .route = "comment", .operation = "update", .ids = { "32352" },
      .body = "{\"text\":\"very nice\"}" },
    { .title = "A status, typed by its description", .route = "user.status", .operation = "read",
      .ids = { "initFabian", "3" } },
    { .title = "List the users", .route = "user", .operation = "list" },
    { .title = "A standalone operation with declared parameters", .operation = "search", .query = "very nice" },
    { .title = "Whatever an id holds, it is one segment", .route = "user", .operation = "read",
      .ids = { "../a b?c#d/%2e" } },
    { .title = "Delete the status", .route = "status", .operation = "delete", .ids = { "3" } },
    { .title = "It is gone: an error that keeps the answer", .route = "status", .operation = "read", .ids = { "3" } },
};

static const step refused[] = {
    { .title = "A status cannot be updated", .route = "status", .operation = "update", .ids = { "3" }, .body = "{}" },
    { .title = "A user has no comments", .route = "user.comment", .operation = "read", .ids = { "initFabian", "1" } },
    { .title = "An id that would leave its place", .route = "user", .operation = "read", .ids = { ".." } },
    { .title = "An id is missing", .route = "user.status", .operation = "read", .ids = { "3" }, .id_name = "id" },
    { .title = "An id too many", .route = "user", .operation = "read", .ids = { "initFabian", "3" } },
    { .title = "A route that is not there", .route = "usr", .operation = "read", .ids = { "initFabian" } },
    { .title = "A parameter is missing", .operation = "search" },
    { .title = "A body that does not match its type", .route = "user.status", .operation = "create",
      .ids = { "initFabian" }, .body = "{\"text\":5}" },
};

/* --- Output, with colors on a terminal only --- */

static const char *bold = "", *green = "", *red = "", *plain = "";

static void choose_colours(void)
{
    if (isatty(STDOUT_FILENO) && !getenv("NO_COLOR"))
        bold = "\033[1m", green = "\033[32m", red = "\033[31m", plain = "\033[0m";
}

static void heading(const char *text)
{
    size_t i;
    printf("%s%s%s\n", bold, text, plain);
    for (i = strlen(text); i; i--)
        putchar('-');
    printf("\n\n");
}

static void print_str(const char *before, routable_str text, const char *after)
{
    printf("%s", before);
    fwrite(text.ptr, 1, text.len, stdout);
    printf("%s", after);
}

/* --- The job --- */

static routable_status build(const routable_router *api, const step *it, routable_request **request, routable_error **error)
{
    routable_argument ids[5], form[2], query[1];
    routable_call call = ROUTABLE_CALL_INIT;
    call.route = it->route;
    call.operation = it->operation;
    call.ids = ids;
    for (; call.id_count < 5 && it->ids[call.id_count]; call.id_count++) {
        ids[call.id_count].name = call.id_count == 0 ? it->id_name : NULL;
        ids[call.id_count].value = routable_value_string(it->ids[call.id_count]);
    }
    if (it->form[0])
        call.parameters = form; /* none is not the same as an empty form */
    for (; call.parameter_count < 2 && it->form[2 * call.parameter_count]; call.parameter_count++) {
        form[call.parameter_count].name = it->form[2 * call.parameter_count];
        form[call.parameter_count].value = routable_value_string(it->form[2 * call.parameter_count + 1]);
    }
    if (it->query) {
        query[0].name = "q";
        query[0].value = routable_value_string(it->query);
        call.query = query;
        call.query_count = 1;
    }
    if (it->body)
        call.body = routable_value_json(it->body);
    return routable_request_new(api, &call, request, error);
}

static void print_request(const routable_request *request)
{
    size_t i;
    print_str("    -> ", routable_request_method(request), " ");
    print_str("", routable_request_url(request), "\n");
    for (i = 0; i < routable_request_header_count(request); i++) {
        const routable_header header = routable_request_header_at(request, i);
        print_str("       ", header.name, ": ");
        print_str("", header.value, "\n");
    }
    if (routable_request_has_body(request))
        print_str("       ", routable_request_body(request), "\n");
}

static void print_response(const routable_response *response, const char *colour)
{
    static const char *const outcomes[] = { "empty", "self", "dictionary", "array", "raw" };
    printf("    <- %s%d %s%s\n", colour, (int)routable_response_status(response),
        outcomes[routable_response_outcome(response)], plain);
    if (routable_response_body(response).len)
        print_str("       ", routable_response_body(response), "\n");
}

static void print_error(const routable_error *error)
{
    size_t i;
    printf("    !! %s%s%s\n", red, routable_status_name(routable_error_status(error)), plain);
    print_str("       ", routable_error_message(error), "\n");
    if (routable_error_allowed_count(error))
        printf("       allowed:");
    for (i = 0; i < routable_error_allowed_count(error); i++)
        print_str(" ", routable_error_allowed_at(error, i), "");
    if (i)
        putchar('\n');
    if (routable_error_suggestion(error).len)
        print_str("       nearest: ", routable_error_suggestion(error), "\n");
    if (routable_error_response(error))
        print_response(routable_error_response(error), red);
}

/* Builds a call, and performs it if it is allowed and there is a client.  Frees all objects that it made. */
static void run(const routable_router *api, const routable_client *client, const step *it)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    printf("  %s%s%s\n", bold, it->title, plain);
    if (build(api, it, &request, &error) == ROUTABLE_OK) {
        print_request(request);
        if (client && routable_client_perform(client, request, &response, &error) == ROUTABLE_OK)
            print_response(response, green);
    }
    if (error)
        print_error(error);
    putchar('\n');
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
}

/* The map of the description, each line indented. */
static routable_status print_map(const routable_router *api, routable_error **error)
{
    routable_string map = { NULL, 0 };
    const char *line, *end;
    const routable_status status = routable_router_map(api, &map, error);
    if (status != ROUTABLE_OK)
        return status;
    for (line = map.ptr; (end = strchr(line, '\n')) != NULL; line = end + 1)
        printf("  %.*s\n", (int)(end - line), line);
    putchar('\n');
    routable_string_free(&map);
    return status;
}

int main(int count, char **arguments)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *api = NULL;
    routable_client *client = NULL;
    routable_error *error = NULL;
    size_t i;

    if (count != 3) {
        fprintf(stderr, "usage: %s DESCRIPTION BASE\n", arguments[0]);
        return 2;
    }
    choose_colours();
    options.base = arguments[2];
    if (routable_router_open_file(arguments[1], &options, &api, &error) == ROUTABLE_OK &&
        routable_client_new(NULL, &client, &error) == ROUTABLE_OK) {
        heading("What the description says");
        if (print_map(api, &error) == ROUTABLE_OK) {
            heading("What it allows is built, sent and mapped");
            for (i = 0; i < sizeof allowed / sizeof *allowed; i++)
                run(api, client, &allowed[i]);
            heading("What it does not allow is refused before anything is sent");
            for (i = 0; i < sizeof refused / sizeof *refused; i++)
                run(api, NULL, &refused[i]);
        }
    }
    if (error)
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    count = error != NULL;
    routable_error_free(error);
    routable_client_free(client);
    routable_router_free(api);
    return count;
}
