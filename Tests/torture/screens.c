/* screens.c - scenarios: presentations. */
#include "torture.h"

#include "routable_presentation.h"

#define FREE(type, object) DO(routable_##type##_free, object)
#define TAKEN(type) ((type *)o.object)

static int released;

static void on_release(void *user_data) { (void)user_data; released++; }

static void note_visit(const routable_visit *visit)
{
    static const char *const called[] = { "path", "route", "capture_count", "capture_name_at", "capture_string_at", "capture_at", "capture" };
    size_t i;
    for (i = 0; i < sizeof called / sizeof *called; i++) { /* they are called inside of another call */
        char whole[64];
        snprintf(whole, sizeof whole, "routable_visit_%s", called[i]);
        torture_slot(whole);
    }
    NOTE_STR(routable_visit_path(visit));
    NOTE_STR(routable_visit_route(visit));
    for (i = 0; i < routable_visit_capture_count(visit); i++) {
        NOTE_STR(routable_visit_capture_name_at(visit, i));
        NOTE_STR(routable_visit_capture_string_at(visit, i));
        NOTE_NUMBER(routable_visit_capture_at(visit, i).kind);
    }
    NOTE_NUMBER(routable_visit_capture(visit, "id").kind);
}

/* Calls of a callback count as part of the library call around it. */
static routable_status on_presentable(const routable_visit *visit, void **out, void *user_data)
{
    (void)visit;
    *out = user_data;
    return ROUTABLE_OK;
}
static routable_status on_child(void *child, const routable_visit *visit, void *user_data)
{
    note("%s<%s>;", (char *)user_data, (char *)child);
    note_visit(visit);
    return ROUTABLE_OK;
}
static routable_status on_children(void *const *children, size_t count, const routable_visit *visit, void *user_data)
{
    size_t i;
    note("%s=", (char *)user_data);
    for (i = 0; i < count; i++)
        note("%s,", (char *)children[i]);
    note_visit(visit);
    return ROUTABLE_OK;
}
static routable_status on_predicate(routable_str path, void *user_data) { (void)user_data; return path.len == 3 ? ROUTABLE_OK : ROUTABLE_NO_MATCH; }
static routable_status on_unmatched(const routable_visit *visit, void *user_data) { (void)user_data; NOTE_STR(routable_visit_path(visit)); return ROUTABLE_OK; }

static routable_presenter presenter(const char *name)
{
    routable_presenter result = ROUTABLE_PRESENTER_INIT;
    result.name = name, result.user_data = (void *)(uintptr_t)name;
    result.presentable = on_presentable, result.set_child = on_child, result.set_children = on_children, result.release = on_release;
    return result;
}

static routable_presentation *build(void)
{
    routable_presentation_builder *builder;
    routable_presentation *presentation;
    routable_parameter_options id = ROUTABLE_PARAMETER_OPTIONS_INIT;
    routable_presenter one = presenter("tabs");
    id.name = "id", id.type = "integer";
    CALL(routable_presentation_builder_new, OBJECT(routable_presentation_builder), &error);
    builder = TAKEN(routable_presentation_builder);
    CALL(routable_presentation_builder_add_junction, builder, NULL, &one, &error);
    one = presenter("stack");
    CALL(routable_presentation_builder_add_stack, builder, "tabs", &one, &error);
    one = presenter("pattern");
    CALL(routable_presentation_builder_add_pattern, builder, "stack", &one, "users/(?<id>[0-9]+)", 0, &error);
    one = presenter("template");
    CALL(routable_presentation_builder_add_template, builder, "pattern", &one, "users/{user}/posts/{id}", &id, 1, 0, &error);
    one = presenter("predicate");
    CALL(routable_presentation_builder_add_predicate, builder, "stack", &one, on_predicate, NULL, on_release, &error);
    one = presenter("bare");
    CALL(routable_presentation_builder_add_presenter, builder, "tabs", &one, &error);
    CALL(routable_presentation_builder_set_unmatched, builder, on_unmatched, NULL, on_release, &error);
    CALL(routable_presentation_builder_build, builder, OBJECT(routable_presentation), &error);
    presentation = TAKEN(routable_presentation);
    FREE(presentation_builder, builder);
    return presentation;
}

SCENARIO(presentation)
{
    routable_presentation *const presentation = build();
    CALL(routable_presentation_presentable, presentation, &o.object, &error);
    note("%s;", (char *)o.object);
    CALL(routable_presentation_handles, presentation, STR("users/7"), &error);
    CALL(routable_presentation_handles, presentation, STR("users/seven"), &error);
    FREE(presentation, presentation);
}

/* After a failed allocation, the callbacks are called again: only the calls of the last attempt are compared. */
SCENARIO(set_path)
{
    routable_presentation *const presentation = build();
    CALL(routable_presentation_set, presentation, STR("users/7/posts/3"), &error);
    CALL(routable_presentation_set, presentation, STR("abc"), &error);
    CALL(routable_presentation_set, presentation, STR("nothing"), &error);
    FREE(presentation, presentation);
}

SCENARIO(stack_of_screens)
{
    routable_presentation_builder *builder;
    routable_presentation *presentation;
    static const char document[] = "{\"routable_presentation\":1,\"root\":{\"presenter\":\"home\",\"pattern\":\"home\",\"children\":[{\"presenter\":\"page\",\"template\":\"home/{id}\"}]}}";
    routable_presenter presenters[2] = { presenter("home"), presenter("page") };
    routable_presenter one = presenter("root");
    CALL(routable_presentation_builder_new, OBJECT(routable_presentation_builder), &error);
    builder = TAKEN(routable_presentation_builder);
    CALL(routable_presentation_builder_add_document, builder, NULL, LIT(document), presenters, 2, &error);
    FREE(presentation_builder, builder);
    CALL(routable_presentation_builder_new, OBJECT(routable_presentation_builder), &error);
    builder = TAKEN(routable_presentation_builder);
    CALL(routable_presentation_builder_add_pattern, builder, NULL, &one, "root", 0, &error);
    one = presenter("leaf");
    CALL(routable_presentation_builder_add_template, builder, "root", &one, "root/{id}", NULL, 0, 0, &error);
    CALL(routable_presentation_builder_build, builder, OBJECT(routable_presentation), &error);
    presentation = TAKEN(routable_presentation);
    CALL(routable_presentation_stack, presentation, STR("root/x"), o.objects, 4, &o.number, &error);
    NOTE_NUMBER(o.number);
    note("%s;", (char *)o.objects[1]);
    FREE(presentation_builder, builder);
    FREE(presentation, presentation);
}

const scenario screen_scenarios[] = {
    { "presentation", presentation }, { "set path", set_path }, { "stack of screens", stack_of_screens }, { NULL, NULL }
};
