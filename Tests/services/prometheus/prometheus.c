/* Queries of a Prometheus that scrapes itself, from C:  prometheus DESCRIPTION BASE USER PASSWORD */
#include "../recorded.h"

int main(int count, char **words)
{
    static const char *const none[] = { NULL };
    static const char *const first[] = { "/data/result/0/metric/job", "/data/result/0/value/1", NULL };
    static const char *const scalar[] = { "/data/result/1", NULL };
    static const char *const data[] = { "/data", NULL };
    static const char *const rules[] = { "/data/groups/0/rules/1/name", NULL };
    static const char *const reason[] = { "/errorType", NULL };
    run all = { "Prometheus", NULL, NULL, 0, 0, 0, 0, 0, 0 };
    routable_credential login = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    if (count != 5 || !run_open(&all, words[1], words[2]))
        return 2;
    login.scheme = "login";
    login.user = routable_str_from(words[3]);
    login.password = routable_str_from(words[4]);
    if (routable_client_set_credential(all.client, &login, &error) != ROUTABLE_OK) {
        fprintf(stderr, "%s\n", routable_error_message(error).ptr);
        return 2;
    }
    run_call(&all, "ready", "{\"operation\":\"ready\"}", 200, none);
    run_call(&all, "vector", "{\"operation\":\"query\",\"query\":{\"query\":\"up\"}}", 200, first);
    run_call(&all, "scalar", "{\"operation\":\"query\",\"query\":{\"query\":\"1+1\"}}", 200, scalar);
    run_call(&all, "form", "{\"operation\":\"queryForm\",\"body\":{\"query\":\"count(up) + 1 - 1\"}}", 200, none);
    run_call(&all, "labels", "{\"operation\":\"labels\",\"query\":{\"match[]\":[\"up\"]}}", 200, data);
    run_call(&all, "values of a label", "{\"route\":\"label\",\"operation\":\"values\",\"ids\":[\"job\"]}", 200, data);
    run_call(&all, "rules", "{\"operation\":\"rules\"}", 200, rules);
    run_call(&all, "delete series", "{\"operation\":\"deleteSeries\",\"query\":{\"match[]\":[\"scrape_duration_seconds\"]}}", 204, none);
    run_call(&all, "a query that does not parse", "{\"operation\":\"query\",\"query\":{\"query\":\"up{\"}}", 400, reason);
    run_call(&all, "a wrong state", "{\"operation\":\"targets\",\"query\":{\"state\":\"dead\"}}", 0, none);
    return run_end(&all);
}
