/* auth_gate.h - Tests/service/auth_service.py, and a router for it.  Include it in one file of a program. */
#ifndef AUTH_GATE_H
#define AUTH_GATE_H

#include "support.h"

static service gate;
static routable_router *router;

static int start_gate(const char *document)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_error *error = NULL;
    service_start(&gate, "Tests/service/auth_service.py");
    options.base = gate.base;
    check_status("router", routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    service_stop(&gate);
    return 0;
}

/* `owner` is the description of the client's credentials; it can be NULL. */
static routable_client *client_of(const routable_router *owner)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *made = NULL;
    routable_error *error = NULL;
    options.deadline_ms = patience(20000);
    options.router = owner;
    check_status("client", routable_client_new(&options, &made, &error), ROUTABLE_OK, error);
    return made;
}

#endif
