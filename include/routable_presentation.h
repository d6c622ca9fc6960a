/* routable_presentation.h - screens by path, for any host (docs/presentation.md).
 *
 * A presentation is a tree of presenters.  A junction shows one of its children, like tabs; a stack shows
 * the way to a route, like a pile of screens; a route takes paths, by a pattern, a template or a predicate.
 * Setting a path tells the presenters what to show; a deep link arrives with the screens behind it.
 *
 *     routable_presentation_builder_new(&builder, &error);
 *     routable_presentation_builder_add_junction(builder, NULL, &tabs, &error);
 *     routable_presentation_builder_add_stack(builder, "tabs", &navigation, &error);
 *     routable_presentation_builder_add_pattern(builder, "navigation", &welcome, "welcome", 0, &error);
 *     routable_presentation_builder_add_pattern(builder, "welcome", &login, "welcome/login", 0, &error);
 *     routable_presentation_builder_build(builder, &app, &error);
 *     routable_presentation_set(app, routable_str_from("welcome/login"), &error);
 *
 * Presentables  What a presenter shows is a `void *` of the host; the library hands it on and never
 *               looks into it.
 * Paths         are bytes, taken as they are: whoever calls strips scheme and host and folds case.
 *               Patterns and templates take only UTF-8, predicates any bytes.
 * Callbacks     run on the calling thread, before the call returns, with nothing held.  0 is success;
 *               anything else ends the call with ROUTABLE_ERR_CALLBACK, what was shown until then
 *               stays.  They may call any function of this header, set of the same presentation too: it
 *               runs to its end, then the outer call goes on.  They may free the presentation: it lives
 *               until the call returns.  What they are handed ends when they return.  They must not
 *               unwind or longjmp.
 * user_data     The destroy function of a presenter, a predicate or a handler is called exactly once
 *               with its user_data: when the builder and all presentations made from it are freed, or
 *               when adding it fails.  The one exception: a presenter that is NULL or whose size is wrong
 *               cannot be read.
 * Errors        name the presenter: routable_error_route.
 * The other conventions are those of routable.h.  Since 0.1.0.
 */
#ifndef ROUTABLE_PRESENTATION_H
#define ROUTABLE_PRESENTATION_H

#include "routable_builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Visit: what is being set.  Lives as long as the callback that it is handed to.  NULL is fine.
 */

typedef struct routable_visit routable_visit;

/* The path as it was given; empty where a presentable is asked for without one. */
ROUTABLE_API routable_str routable_visit_path(const routable_visit *visit);
/* The name of the presenter whose route takes the path, or empty. */
ROUTABLE_API routable_str routable_visit_route(const routable_visit *visit);
/* What the route captured, from left to right: named groups of a pattern as they stand in the path, parameters
 * of a template decoded. */
ROUTABLE_API size_t routable_visit_capture_count(const routable_visit *visit);
ROUTABLE_API routable_str routable_visit_capture_name_at(const routable_visit *visit, size_t index);
/* As text; empty beyond the end. */
ROUTABLE_API routable_str routable_visit_capture_text_at(const routable_visit *visit, size_t index);
/* As its type says: INTEGER, REAL, BOOLEAN or TEXT; an integer beyond 64 bits is a TEXT; kind ROUTABLE_KIND_NULL
 * beyond the end and for a name that was not captured. */
ROUTABLE_API routable_value routable_visit_capture_at(const routable_visit *visit, size_t index);
ROUTABLE_API routable_value routable_visit_capture(const routable_visit *visit, const char *name);

/* ------------------------------------------------------------------------------------------------
 * Presenter: the functions by which the host shows something
 */

/* Gives what the presenter shows.  Called each time it is used, never before. */
typedef int32_t (*routable_presentable_function)(const routable_visit *visit, void **out, void *user_data);
/* Shows one of the children. */
typedef int32_t (*routable_set_child_function)(void *child, const routable_visit *visit, void *user_data);
/* Takes all children, or a stack's screens with the topmost last. */
typedef int32_t (*routable_set_children_function)(
    void *const *children, size_t count, const routable_visit *visit, void *user_data);
/* Whether a route takes a path: 1 or 0; negative is a failure.  Asked at most once in a call. */
typedef int32_t (*routable_predicate_function)(const char *path, size_t length, void *user_data);
/* A path was set that no route takes. */
typedef int32_t (*routable_unmatched_function)(const routable_visit *visit, void *user_data);
typedef void (*routable_destroy_function)(void *user_data);

typedef struct routable_presenter {
    size_t size;
    const char *name;                            /* unique in its presentation */
    routable_presentable_function presentable;   /* NULL: user_data is what it shows */
    routable_set_child_function set_child;       /* a junction needs it */
    routable_set_children_function set_children; /* a junction and a stack need it */
    void *user_data;
    routable_destroy_function destroy; /* or NULL */
} routable_presenter;
#define ROUTABLE_PRESENTER_INIT { sizeof(routable_presenter), NULL, NULL, NULL, NULL, NULL, NULL }

/* ------------------------------------------------------------------------------------------------
 * Builder: parents before children, children in the order in which they are asked
 */

typedef struct routable_presentation_builder routable_presentation_builder;
typedef struct routable_presentation routable_presentation;

/* flags of a route: it goes on, behind a slash, from the pattern or the template of the route it is below. */
enum { ROUTABLE_ROUTE_RELATIVE = 1 };

ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_new(
    routable_presentation_builder **out, routable_error **error);
ROUTABLE_API void routable_presentation_builder_free(routable_presentation_builder *builder);

/* Each adds a presenter below the one named `parent`; NULL for the root.  Statuses of all: CONFLICT for a name
 * that is there and for a second root; UNKNOWN for a parent that is not; DOCUMENT for a pattern or a template
 * that is not valid, for children of a presenter that has none, and for a junction or a stack in a stack or
 * below a route, where it would never be shown; LIMIT for more than 64 levels; ARGUMENT.  After a failure the
 * builder is as it was. */
/* A presenter without a route, which takes no path. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_presenter(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_junction(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_stack(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
/* A route that takes the paths that a PCRE2 pattern matches as a whole, named groups captured. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_pattern(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    const char *pattern, uint32_t flags, routable_error **error);
/* A route that takes the paths of a template, "users/{id}".  `ids` are the types of its parameters (type, format,
 * pattern, values, lengths and bounds count); one that is left out takes any text. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_template(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    const char *path_template, const routable_parameter_options *ids, size_t id_count, uint32_t flags,
    routable_error **error);
/* A route that takes the paths of which the host says so. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_predicate(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_predicate_function predicate, void *user_data, routable_destroy_function destroy,
    routable_error **error);
/* The tree of a JSON document (docs/schema/presentation.schema.json), its presenters bound by name: each name of
 * the document has a presenter here and the other way round.  Statuses: also JSON, UNSUPPORTED; errors
 * have pointer, line and column. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_document(
    routable_presentation_builder *builder, const char *parent, routable_str document,
    const routable_presenter *presenters, size_t presenter_count, routable_error **error);
/* Called by each set of a path that no route takes, after what is set then.  Replaces the one before. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_set_unmatched(
    routable_presentation_builder *builder, routable_unmatched_function unmatched, void *user_data,
    routable_destroy_function destroy, routable_error **error);
/* The builder stays yours and stays usable.  Statuses: DOCUMENT when nothing was added, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_build(
    const routable_presentation_builder *builder, routable_presentation **out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Presentation: the tree, immutable, shared by any number of threads
 */

/* The most levels that a tree has, and so the most presentables of one stack. */
#define ROUTABLE_PRESENTATION_DEPTH 64

ROUTABLE_API void routable_presentation_free(routable_presentation *presentation);
/* What the root shows.  Statuses: CALLBACK, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_presentable(
    const routable_presentation *presentation, void **out, routable_error **error);
/* OK when some route takes the path, NO_MATCH when none does; nothing is set.  Also: CALLBACK of a
 * predicate, LIMIT of a pattern that gave up, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_handles(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* Shows a path.  The route is found first.  A junction then gets all its children, always; what is
 * below the first child that takes the path is set; then the junction gets that child.  A stack gets the way to
 * the route, or nothing when there is none.  Setting the same path again makes the same calls again.
 * OK: some route takes the path, or the root is a stack.  NO_MATCH: neither; and always for a root
 * that is a route, which has nobody to tell.  Also: CALLBACK, and before any presenter is called when one that is
 * needed has no function; LIMIT of a pattern, and when more than 64 calls are under way; ARGUMENT. */
ROUTABLE_API routable_status routable_presentation_set(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* The presentables on the way to the route of a path, the root's first, when the root is a route.  `*count` is
 * also written with BUFFER, when `capacity` is less.  Also: NO_MATCH, CALLBACK, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_stack(
    const routable_presentation *presentation, routable_str path, void **presentables, size_t capacity,
    size_t *count, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
