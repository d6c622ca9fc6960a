/* A run of typed calls to a real service from C: the result of each one, as recorded.py prints it. */
#ifndef RECORDED_H
#define RECORDED_H

#include <routable.h>
#include <routable_json.h>
#include <routable_json_value.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const char *name;
    routable_router *api;
    routable_client *client;
    int calls, values, deviating, errors, refused, surprises;
} run;

static int run_open(run *all, const char *document, const char *base)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_client_options own = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_error *error = NULL;
    options.base = base;
    if (routable_router_open_file(document, &options, &all->api, &error) == ROUTABLE_OK) {
        own.router = all->api;
        if (routable_client_new(&own, &all->client, &error) == ROUTABLE_OK)
            return 1;
    }
    fprintf(stderr, "%s\n", routable_error_message(error).ptr);
    routable_error_free(error);
    return 0;
}

/* Performs a call, and prints one line: the kind of result, the status, and the JSON at each of the pointers, whose last one is NULL. */
static void run_call(run *all, const char *title, const char *call, int expected, const char *const *pointers)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    const routable_response *got;
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    const char *kind = "exception";
    routable_status status = routable_request_new_json(all->api, call, ROUTABLE_NUL_TERMINATED, &request, &error);
    all->calls++;
    if (status != ROUTABLE_OK) {
        printf("%s: refused, %s%s\n", title, routable_error_message(error).ptr, expected == 0 ? "" : "   <-- not expected");
        all->surprises += expected != 0;
        all->refused++;
        routable_error_free(error);
        return;
    }
    status = routable_client_perform(all->client, request, &response, &error);
    got = status == ROUTABLE_OK ? response : routable_error_response(error);
    if (status == ROUTABLE_OK) {
        kind = routable_response_deviation_count(got) ? "deviations" : "value";
        all->deviating += routable_response_deviation_count(got) != 0;
        all->values += routable_response_deviation_count(got) == 0;
    } else if (status == ROUTABLE_ERR_HTTP_STATUS) {
        kind = routable_response_outcome(got) == ROUTABLE_OUTCOME_SELF ? "typed error" : "explained error";
        all->errors++;
    }
    printf("%s: %s, ", title, kind);
    if (got) {
        printf("%d %s", (int)routable_response_status(got), routable_outcome_name(routable_response_outcome(got)));
        if (routable_response_json_value(got, &json, NULL) == ROUTABLE_OK)
            for (; pointers && *pointers; pointers++) {
                const routable_str text = routable_json_text(json, routable_json_at(json, routable_str_from(*pointers)));
                printf(" %.*s", (int)text.len, text.ptr);
            }
    } else {
        printf("%s", routable_error_message(error).ptr);
    }
    if (!got || (int)routable_response_status(got) != expected) {
        printf("   <-- not expected");
        all->surprises++;
    }
    printf("\n");
    for (size_t i = 0; i < routable_response_deviation_count(got); i++) {
        routable_deviation each = ROUTABLE_DEVIATION_INIT;
        (void)routable_response_deviation_at(got, i, &each);
        printf("    %.*s\n", (int)each.message.len, each.message.ptr);
    }
    routable_json_values_free(json);
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
}

static int run_end(run *all)
{
    printf("%s: %d calls: %d value, %d deviations, %d error, %d refused\n", all->name, all->calls, all->values, all->deviating, all->errors,
        all->refused);
    routable_client_free(all->client);
    routable_router_free(all->api);
    return all->surprises != 0;
}

#endif
