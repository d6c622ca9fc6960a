/* Requests as in the articles: statements R1 to R23 and E1 to E6, each through the
 * object tier, the JSON tier and a plan. */
#include "support.h"

#define URL(path) ARTICLE_BASE path
#define FORM "application/x-www-form-urlencoded"

static routable_router *article;

static int open_both(void **state)
{
    (void)state;
    article = open_article(ARTICLE_BASE);
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    routable_router_free(article);
    return 0;
}

static void R1_verbs(void **state)
{
    (void)state;
    check_walk(article, "post", "read", IDS("2"), "GET", URL("posts/2"));
    check_walk(article, "post", "create", NO_IDS, "POST", URL("posts"));
    check_walk(article, "post", "update", IDS("2"), "PUT", URL("posts/2"));
    check_walk(article, "post", "delete", IDS("2"), "DELETE", URL("posts/2"));
}

static void R2_read_user(void **state)
{
    routable_request *request;
    (void)state;
    check_walk(article, "user", "read", IDS("2"), "GET", URL("users/2"));
    request = build(article, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"]}");
    assert_int_equal(routable_request_has_body(request), 0);
    routable_request_free(request);
}

/* Checks the method, the URL, the Content-Type and the body of a call. */
static void check_form(const char *call, const char *method, const char *url, const char *type, const char *body)
{
    routable_request *const request = build(article, call);
    check_text(call, routable_request_method(request), method);
    check_text(call, routable_request_url(request), url);
    if (type)
        check_text(call, routable_str_from(header_of(request, "Content-Type")), type);
    else
        assert_null(header_of(request, "Content-Type"));
    assert_int_equal(routable_request_has_body(request), body != NULL);
    check_text(call, routable_request_body(request), body ? body : "");
    routable_request_free(request);
}

static void R3_create_keeps_parameters(void **state)
{
    (void)state;
    check_form("{\"route\":\"user\",\"operation\":\"create\",\"parameters\":{\"a\":1}}", "POST", URL("users"), FORM, "a=1");
}

static void R4_update_and_delete(void **state)
{
    (void)state;
    check_form("{\"route\":\"user\",\"operation\":\"update\",\"ids\":[\"2\"],\"parameters\":{\"a\":1}}", "PUT", URL("users/2"),
        FORM, "a=1");
    check_form("{\"route\":\"post\",\"operation\":\"delete\",\"ids\":[\"2\"]}", "DELETE", URL("posts/2"), NULL, NULL);
}

/* Opens the article's graph at this base and compares the URL of users/2. */
static void check_base(const char *base, const char *path, const char *url)
{
    char document[512];
    routable_router *router;
    snprintf(document, sizeof document,
        "{\"routable\":1,\"base\":\"%s\",\"resources\":{\"user\":{\"path\":\"%s\",\"can\":[\"read\"]}}}", base, path);
    router = open_text(document);
    check_walk(router, "user", "read", IDS("2"), "GET", url);
    routable_router_free(router);
}

static void R5_base_slashes(void **state)
{
    (void)state;
    check_base("https://private-85a46-routable.apiary-mock.com/", "users", URL("users/2"));
    check_base("https://private-85a46-routable.apiary-mock.com", "users", URL("users/2"));
    check_base("https://private-85a46-routable.apiary-mock.com/", "/users", URL("users/2"));
    check_base("https://private-85a46-routable.apiary-mock.com", "/users", URL("users/2"));
}

static void R6_base_path_and_query(void **state)
{
    (void)state;
    check_base("https://h/v1", "users", "https://h/v1/users/2");
    check_base("https://h/v1/", "users", "https://h/v1/users/2");
    check_base("https://h/v1?token=x", "users", "https://h/v1/users/2?token=x");
    check_base("https://h:8443/v1/?token=x", "users", "https://h:8443/v1/users/2?token=x");
    check_base("http://[::1]:8080", "users", "http://[::1]:8080/users/2");
}

static void R6_base_per_router_and_per_call(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    const char *const document =
        "{\"routable\":1,\"base\":\"https://h/v1\",\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\"]}}}";
    (void)state;
    options.base = "http://other:81/x";
    check_status(document, routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    check_text(document, routable_router_base(router), "http://other:81/x");
    check_walk(router, "user", "read", IDS("2"), "GET", "http://other:81/x/users/2");
    check_url(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"],\"base\":\"https://third\"}",
        "https://third/users/2");
    check_refused(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"],\"base\":\"ftp://third\"}",
        ROUTABLE_ERR_URL);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"],\"base\":\"third\"}", ROUTABLE_ERR_URL);
    routable_router_free(router);
}

static void R7_status_of_user(void **state)
{
    (void)state;
    check_walk(article, "user.status", "read", IDS("2", "2"), "GET", URL("users/2/statuses/2"));
}

static void R8_comment_of_post(void **state)
{
    (void)state;
    check_walk(article, "post.comment", "read", IDS("54", "43"), "GET", URL("posts/54/comments/43"));
    check_walk(article, "user.status", "read", IDS("initFabian", "2"), "GET", URL("users/initFabian/statuses/2"));
}

static void R9_comment_of_picture(void **state)
{
    (void)state;
    check_walk(article, "user.picture.comment", "read", IDS("initFabian", "2", "3"), "GET",
        URL("users/initFabian/pictures/2/comments/3"));
}

static void R10_deep_nesting(void **state)
{
    (void)state;
    check_walk(article, "user.status.comment.user", "read", IDS("initFabian", "3", "32352", "fakeUser"), "GET",
        URL("users/initFabian/statuses/3/comments/32352/users/fakeUser"));
}

static void R11_deeper_nesting(void **state)
{
    (void)state;
    check_walk(article, "user.picture.comment.user.status.comment.user.post.comment.user.status", "read",
        IDS("initFabian", "3", "507f191e810c19729de860ea", "43", "firstStatus", "27", "63", "4d6e5acebcd1b3fac9000002",
            "82", "21", "1"),
        "GET",
        URL("users/initFabian/pictures/3/comments/507f191e810c19729de860ea/users/43/statuses/firstStatus/comments/27/"
            "users/63/posts/4d6e5acebcd1b3fac9000002/comments/82/users/21/statuses/1"));
}

static void R12_nested_create(void **state)
{
    (void)state;
    check_form("{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"initFabian\"],\"parameters\":{\"t\":1}}", "POST",
        URL("users/initFabian/statuses"), FORM, "t=1");
}

static void R13_steps_are_values(void **state)
{
    const routable_value ids[] = { routable_value_string("initFabian"), routable_value_string("3") };
    const routable_value others[] = { routable_value_string("a"), routable_value_string("b") };
    routable_plan *status_of = NULL;
    char buffer[256];
    size_t length = 0;
    (void)state;
    assert_int_equal(routable_plan_new(article, "user.status", "read", &status_of, NULL), ROUTABLE_OK);
    assert_int_equal(routable_plan_write(status_of, ids, 2, NULL, 0, buffer, sizeof buffer, &length, NULL), ROUTABLE_OK);
    check_text("first", routable_str_from(buffer), URL("users/initFabian/statuses/3"));
    assert_int_equal(routable_plan_write(status_of, others, 2, NULL, 0, buffer, sizeof buffer, &length, NULL), ROUTABLE_OK);
    check_text("another", routable_str_from(buffer), URL("users/a/statuses/b"));
    assert_int_equal(routable_plan_write(status_of, ids, 2, NULL, 0, buffer, sizeof buffer, &length, NULL), ROUTABLE_OK);
    check_text("the first again", routable_str_from(buffer), URL("users/initFabian/statuses/3"));
    routable_plan_free(status_of);
}

static void R14_capabilities_and_cycle(void **state)
{
    static const struct { const char *name; uint32_t can; const char *children; } expected[] = {
        { "user", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE, "status picture post " },
        { "status", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_DELETE, "comment " },
        { "picture", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE | ROUTABLE_CAN_DELETE, "comment " },
        { "comment", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE | ROUTABLE_CAN_DELETE, "user " },
        { "post", ROUTABLE_CAN_READ | ROUTABLE_CAN_CREATE | ROUTABLE_CAN_UPDATE | ROUTABLE_CAN_DELETE, "comment " },
    };
    routable_string text = { NULL, 0 };
    size_t i, j;
    (void)state;
    check_size("resources", routable_router_resource_count(article), 5);
    for (i = 0; i < 5; i++) {
        const routable_resource *const resource = routable_router_resource_at(article, i);
        char children[64] = "";
        check_text("name", routable_resource_name(resource), expected[i].name);
        check_size(expected[i].name, routable_resource_capabilities(resource), expected[i].can);
        for (j = 0; j < routable_resource_child_count(resource); j++)
            sprintf(children + strlen(children), "%s ",
                routable_resource_name(routable_resource_child_at(resource, j)).ptr);
        check_text(expected[i].name, routable_str_from(children), expected[i].children);
    }
    assert_int_equal(routable_router_map(article, &text, NULL), ROUTABLE_OK);
    routable_string_free(&text);
    assert_int_equal(routable_router_routes(article, &text, NULL), ROUTABLE_OK);
    routable_string_free(&text);
}

static void R15_update_of_status_is_refused(void **state)
{
    static const char call[] = "{\"route\":\"status\",\"operation\":\"update\",\"ids\":[\"3\"],\"body\":{}}";
    routable_plan *plan = NULL;
    routable_router *updatable;
    routable_error *error = refuse(article, call, ROUTABLE_ERR_NOT_ALLOWED);
    (void)state;
    check_text(call, routable_error_message(error), "status: update not allowed; allowed: create, delete, read");
    check_text(call, routable_error_route(error), "status");
    check_text(call, routable_error_operation(error), "update");
    check_text(call, routable_error_pointer(error), "/operation");
    check_allowed(call, error, "create delete read");
    routable_error_free(error);

    check_status(call, routable_plan_new(article, "status", "update", &plan, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    assert_null(plan);
    check_allowed(call, error, "create delete read");
    routable_error_free(error);

    updatable = open_text("{\"routable\":1,\"base\":\"https://h\",\"resources\":{\"status\":{\"path\":\"statuses\","
                          "\"can\":[\"read\",\"create\",\"delete\",\"update\"]}}}");
    check_walk(updatable, "status", "update", IDS("3"), "PUT", "https://h/statuses/3");
    routable_router_free(updatable);
}

static void R16_child_not_declared(void **state)
{
    static const char call[] = "{\"route\":\"user.comment\",\"operation\":\"read\",\"ids\":[\"1\",\"2\"]}";
    routable_error *const error = refuse(article, call, ROUTABLE_ERR_UNKNOWN);
    (void)state;
    check_contains(call, routable_error_message(error), "comment");
    check_contains(call, routable_error_message(error), "user");
    check_text(call, routable_error_pointer(error), "/route");
    check_allowed(call, error, "picture post status");
    routable_error_free(error);
}

static void R17_parent_id_missing(void **state)
{
    static const char named[] = "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":{\"id\":\"3\"}}";
    static const char none[] = "{\"route\":\"user.status\",\"operation\":\"create\"}";
    routable_error *error = refuse(article, named, ROUTABLE_ERR_ID);
    (void)state;
    check_contains(named, routable_error_message(error), "missing");
    check_text(named, routable_error_parameter(error), "user_id");
    routable_error_free(error);
    error = refuse(article, none, ROUTABLE_ERR_ID);
    check_contains(none, routable_error_message(error), "missing");
    check_text(none, routable_error_parameter(error), "user_id");
    routable_error_free(error);
}

static void R18_own_verb_and_place_of_parameters(void **state)
{
    (void)state;
    check_form("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"],\"parameters\":{\"foo\":1,\"bar\":2}}", "GET",
        URL("users/2?bar=2&foo=1"), NULL, NULL);
    check_form("{\"route\":\"post\",\"operation\":\"delete\",\"ids\":[\"2\"],\"parameters\":{\"a\":1}}", "DELETE",
        URL("posts/2?a=1"), NULL, NULL);
    check_form("{\"route\":\"post\",\"operation\":\"create\",\"parameters\":{\"foo\":1,\"bar\":2}}", "POST", URL("posts"), FORM,
        "bar=2&foo=1");
    check_form("{\"route\":\"post\",\"operation\":\"update\",\"ids\":[\"2\"],\"parameters\":{\"foo\":1}}", "PUT", URL("posts/2"),
        FORM, "foo=1");
}

static void R19_child_actions_follow_the_child(void **state)
{
    static const char call[] = "{\"route\":\"comment.user\",\"operation\":\"delete\",\"ids\":[\"1\",\"2\"]}";
    routable_error *error;
    (void)state;
    check_walk(article, "user.post", "delete", IDS("1", "2"), "DELETE", URL("users/1/posts/2"));
    error = refuse(article, call, ROUTABLE_ERR_NOT_ALLOWED);
    check_text(call, routable_error_route(error), "comment.user");
    check_allowed(call, error, "create read update");
    routable_error_free(error);
}

static void R20_collection_and_member(void **state)
{
    routable_router *const social = open_social();
    (void)state;
    check_walk(social, "user", "list", NO_IDS, "GET", "https://api.example.com/v1/users");
    check_walk(social, "user", "read", IDS("x"), "GET", "https://api.example.com/v1/users/x");
    check_walk(social, "comment.user", "list", IDS("7"), "GET", "https://api.example.com/v1/comments/7/users");
    routable_router_free(social);
}

static void R21_values_are_one_segment(void **state)
{
    static const struct { const char *value; const char *encoded; } table[] = {
        { "a b", "a%20b" }, { "\xC3\xA9", "%C3%A9" }, { "a?x=1", "a%3Fx%3D1" }, { "a#f", "a%23f" }, { "100%", "100%25" },
        { "%41", "%2541" }, { "a/b", "a%2Fb" }, { "a;b:c@d&e=f+g,h", "a%3Bb%3Ac%40d%26e%3Df%2Bg%2Ch" },
        { "AZaz09-._~", "AZaz09-._~" }, { "...", "..." }, { "..a", "..a" }, { "%2e%2e", "%252e%252e" },
        { "\xF0\x9F\x98\x83", "%F0%9F%98%83" }, { "e\xCC\x81", "e%CC%81" }, { "\x7F", "%7F" }, { "a\\b", "a%5Cb" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        char url[256];
        snprintf(url, sizeof url, URL("users/%s"), table[i].encoded);
        check_walk(article, "user", "read", IDS(table[i].value), "GET", url);
        snprintf(url, sizeof url, URL("users/%s/statuses/%s"), table[i].encoded, table[i].encoded);
        check_walk(article, "user.status", "read", IDS(table[i].value, table[i].value), "GET", url);
    }
    check_refused(article, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\".\"]}", ROUTABLE_ERR_VALUE);
    check_refused(article, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"..\"]}", ROUTABLE_ERR_VALUE);
    check_refused(article, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"\"]}", ROUTABLE_ERR_VALUE);
}

/* The rows are compared with a golden file in test_map.c. */
static void R22_routes_as_rake_prints_them(void **state)
{
    routable_string table = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_routes(article, &table, NULL), ROUTABLE_OK);
    assert_non_null(strstr(table.ptr, "Prefix  Verb    URI Pattern"));
    assert_non_null(strstr(table.ptr, "  POST    /posts  "));
    assert_non_null(strstr(table.ptr, "  GET     /posts/:id  "));
    assert_non_null(strstr(table.ptr, "/posts/:post_id/comments/:id "));
    routable_string_free(&table);
}

static void R23_endpoints_models_verbs(void **state)
{
    static const char *const rows[] = { "user#read", "user#create", "user#update", "status#read", "status#create",
        "status#delete", "picture#read", "picture#create", "picture#update", "picture#delete", "comment#read",
        "comment#create", "comment#update", "comment#delete", "post#read", "post#create", "post#update", "post#delete" };
    routable_string table = { NULL, 0 };
    size_t i;
    (void)state;
    assert_int_equal(routable_router_routes(article, &table, NULL), ROUTABLE_OK);
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strstr(table.ptr, rows[i]))
            fail_msg("no row for %s in\n%s", rows[i], table.ptr);
    assert_null(strstr(table.ptr, "status#update"));
    assert_null(strstr(table.ptr, "user#delete"));
    routable_string_free(&table);
}

/* --- The enum routers of articles 000 and 001 --- */

static routable_router *open_enum(void)
{
    return open_text("{\"routable\":1,\"base\":\"https://h/v1\",\"operations\":{"
                     "\"getUserData\":{\"get\":\"getUserDataPath/{id}\"},"
                     "\"deleteSomething\":{\"delete\":\"/deleteSomethingPath/{id}\"},"
                     "\"generalPost\":{\"post\":\"generalPostPath\"},"
                     "\"queryPost\":{\"post\":\"/queryPost\",\"encoding\":{\"to\":\"query\"}},"
                     "\"jsonPost\":{\"post\":\"/jsonPost\",\"encoding\":{\"as\":\"json\"}},"
                     "\"home\":{\"get\":\"\"}}}");
}

static void E1_one_call_gives_the_request_or_an_error(void **state)
{
    routable_router *const router = open_enum();
    routable_request *request;
    (void)state;
    request = build(router, "{\"operation\":\"generalPost\",\"parameters\":{\"token\":\"t\"}}");
    check_text("method", routable_request_method(request), "POST");
    check_text("url", routable_request_url(request), "https://h/v1/generalPostPath");
    check_text("body", routable_request_body(request), "token=t");
    routable_request_free(request);
    check_refused(router, "{\"operation\":\"generalPos\"}", ROUTABLE_ERR_UNKNOWN);
    routable_router_free(router);
}

static void E2_relative_paths(void **state)
{
    routable_router *const router = open_enum();
    (void)state;
    check_walk(router, NULL, "getUserData", IDS("5"), "GET", "https://h/v1/getUserDataPath/5");
    check_walk(router, NULL, "deleteSomething", IDS("7"), "DELETE", "https://h/v1/deleteSomethingPath/7");
    check_walk(router, NULL, "generalPost", NO_IDS, "POST", "https://h/v1/generalPostPath");
    check_walk(router, NULL, "home", NO_IDS, "GET", "https://h/v1");
    check_url(router, "{\"operation\":\"getUserData\",\"ids\":{\"id\":5}}", "https://h/v1/getUserDataPath/5");
    routable_router_free(router);
}

static void E3_encoding_per_operation(void **state)
{
    routable_router *const router = open_enum();
    routable_request *request;
    (void)state;
    request = build(router, "{\"operation\":\"jsonPost\",\"parameters\":{\"b\":1,\"a\":true}}");
    check_text("type", routable_str_from(header_of(request, "Content-Type")), "application/json");
    {
        json_t *const body = json_loads(routable_request_body(request).ptr, 0, NULL);
        json_t *const expected = json_pack("{s:i,s:b}", "b", 1, "a", 1);
        assert_true(json_equal(body, expected));
        json_decref(body);
        json_decref(expected);
    }
    routable_request_free(request);
    request = build(router, "{\"operation\":\"queryPost\",\"parameters\":{\"b\":1,\"a\":true}}");
    check_text("url", routable_request_url(request), "https://h/v1/queryPost?a=1&b=1");
    assert_null(header_of(request, "Content-Type"));
    assert_int_equal(routable_request_has_body(request), 0);
    routable_request_free(request);
    routable_router_free(router);
}

static void E4_parameters_and_body_coexist(void **state)
{
    routable_router *const router = open_enum();
    routable_request *request;
    routable_error *error = NULL;
    (void)state;
    request = build(router, "{\"operation\":\"queryPost\",\"parameters\":{\"a\":1}}");
    check_status("set_body", routable_request_set_body(request, routable_str_from("later"), "text/plain", &error), ROUTABLE_OK,
        error);
    check_text("url", routable_request_url(request), "https://h/v1/queryPost?a=1");
    check_text("body", routable_request_body(request), "later");
    check_text("type", routable_str_from(header_of(request, "Content-Type")), "text/plain");
    assert_int_equal(routable_request_has_body(request), 1);
    routable_request_free(request);

    request = build(router, "{\"operation\":\"queryPost\",\"parameters\":{\"a\":1},\"body\":{\"text\":\"x\"}}");
    check_text("url", routable_request_url(request), "https://h/v1/queryPost?a=1");
    check_text("body", routable_request_body(request), "{\"text\":\"x\"}");
    check_text("type", routable_str_from(header_of(request, "Content-Type")), "application/json");
    routable_request_free(request);
    routable_router_free(router);
}

static void E5_without_parameters_nothing_is_encoded(void **state)
{
    static const char *const calls[] = { "{\"operation\":\"home\"}", "{\"operation\":\"generalPost\"}", "{\"operation\":\"jsonPost\"}",
        "{\"operation\":\"home\",\"parameters\":{}}" };
    routable_router *const router = open_enum();
    size_t i;
    (void)state;
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        routable_request *const request = build(router, calls[i]);
        assert_null(strchr(routable_request_url(request).ptr, '?'));
        assert_null(header_of(request, "Content-Type"));
        assert_int_equal(routable_request_has_body(request), 0);
        check_text(calls[i], routable_request_body(request), "");
        routable_request_free(request);
    }
    routable_router_free(router);
}

static void E6_integers_in_paths(void **state)
{
    static const struct { int64_t value; const char *url; } table[] = {
        { 5, "https://h/v1/getUserDataPath/5" }, { 0, "https://h/v1/getUserDataPath/0" },
        { -7, "https://h/v1/getUserDataPath/-7" }, { INT64_MAX, "https://h/v1/getUserDataPath/9223372036854775807" },
        { INT64_MIN, "https://h/v1/getUserDataPath/-9223372036854775808" },
    };
    routable_router *const router = open_enum();
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_argument id = { NULL, { 0, 0, { 0 } } };
        routable_call call = ROUTABLE_CALL_INIT;
        routable_request *request = NULL;
        routable_error *error = NULL;
        id.value = routable_value_integer(table[i].value);
        call.operation = "getUserData";
        call.ids = &id;
        call.id_count = 1;
        check_status(table[i].url, routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
        check_text(table[i].url, routable_request_url(request), table[i].url);
        routable_request_free(request);
    }
    routable_router_free(router);
}

/* Article 000's first chapter: only createUser and updateUser encode parameters, as a form body. */
static void enum_router_of_users(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"readUsers\":{\"get\":\"/users\"},"
        "\"createUser\":{\"post\":\"/users\"},\"readUser\":{\"get\":\"/users/:username\"},"
        "\"updateUser\":{\"put\":\"/users/{username}\"},\"destroyUser\":{\"delete\":\"/users/{username}\"}}}");
    routable_request *request;
    (void)state;
    check_walk(router, NULL, "readUsers", NO_IDS, "GET", "https://h/users");
    check_walk(router, NULL, "createUser", NO_IDS, "POST", "https://h/users");
    check_walk(router, NULL, "readUser", IDS("x"), "GET", "https://h/users/x");
    check_walk(router, NULL, "updateUser", IDS("x"), "PUT", "https://h/users/x");
    check_walk(router, NULL, "destroyUser", IDS("x"), "DELETE", "https://h/users/x");
    request = build(router, "{\"operation\":\"updateUser\",\"ids\":{\"username\":\"x\"},\"parameters\":{\"name\":\"a b\"}}");
    check_text("body", routable_request_body(request), "name=a%20b");
    check_text("type", routable_str_from(header_of(request, "Content-Type")), FORM);
    routable_request_free(request);
    routable_router_free(router);
}

/* U2: no parameters differ from an empty object. */
static void U2_empty_parameters(void **state)
{
    (void)state;
    check_form("{\"route\":\"user\",\"operation\":\"create\",\"parameters\":{}}", "POST", URL("users"), FORM, "");
    check_form("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"2\"],\"parameters\":{}}", "GET", URL("users/2"), NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R1_verbs),
        cmocka_unit_test(R2_read_user),
        cmocka_unit_test(R3_create_keeps_parameters),
        cmocka_unit_test(R4_update_and_delete),
        cmocka_unit_test(R5_base_slashes),
        cmocka_unit_test(R6_base_path_and_query),
        cmocka_unit_test(R6_base_per_router_and_per_call),
        cmocka_unit_test(R7_status_of_user),
        cmocka_unit_test(R8_comment_of_post),
        cmocka_unit_test(R9_comment_of_picture),
        cmocka_unit_test(R10_deep_nesting),
        cmocka_unit_test(R11_deeper_nesting),
        cmocka_unit_test(R12_nested_create),
        cmocka_unit_test(R13_steps_are_values),
        cmocka_unit_test(R14_capabilities_and_cycle),
        cmocka_unit_test(R15_update_of_status_is_refused),
        cmocka_unit_test(R16_child_not_declared),
        cmocka_unit_test(R17_parent_id_missing),
        cmocka_unit_test(R18_own_verb_and_place_of_parameters),
        cmocka_unit_test(R19_child_actions_follow_the_child),
        cmocka_unit_test(R20_collection_and_member),
        cmocka_unit_test(R21_values_are_one_segment),
        cmocka_unit_test(R22_routes_as_rake_prints_them),
        cmocka_unit_test(R23_endpoints_models_verbs),
        cmocka_unit_test(E1_one_call_gives_the_request_or_an_error),
        cmocka_unit_test(E2_relative_paths),
        cmocka_unit_test(E3_encoding_per_operation),
        cmocka_unit_test(E4_parameters_and_body_coexist),
        cmocka_unit_test(E5_without_parameters_nothing_is_encoded),
        cmocka_unit_test(E6_integers_in_paths),
        cmocka_unit_test(enum_router_of_users),
        cmocka_unit_test(U2_empty_parameters),
    };
    return cmocka_run_group_tests_name("requests", tests, open_both, close_both);
}
