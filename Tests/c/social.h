/* social.h - the sample router for a group of tests: pass open_router and close_router to cmocka's group. */
#ifndef TESTS_C_SOCIAL_H
#define TESTS_C_SOCIAL_H

#include "support.h"

static routable_router *social;

static int open_router(void **state)
{
    (void)state;
    social = open_social();
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(social);
    return 0;
}

#endif
