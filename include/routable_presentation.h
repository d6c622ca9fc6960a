/* routable_presentation.h - screens by path, for any host (docs/presentation.md).
 *
 * A presentation is a tree of presenters.  A junction shows one of its children, like tabs; a stack shows the screens on the
 * way to a route; a route accepts paths by a pattern, a template or a predicate.  Setting a path calls the presenters with
 * what to show; a deep link arrives with the screens behind it.
 *
 *     routable_presentation_builder_new(&builder, &error);
 *     routable_presentation_builder_add_junction(builder, NULL, &tabs, &error);
 *     routable_presentation_builder_add_stack(builder, "tabs", &navigation, &error);
 *     routable_presentation_builder_add_pattern(builder, "navigation", &welcome, "welcome", 0, &error);
 *     routable_presentation_builder_add_pattern(builder, "welcome", &login, "welcome/login", 0, &error);
 *     routable_presentation_builder_build(builder, &app, &error);
 *     routable_presentation_set(app, ROUTABLE_STR("welcome/login"), &error);
 *
 * Presentables  What a presenter shows is a `void *` of the host.  The library passes it on and never dereferences it.
 * Paths         are used as they are: the caller strips scheme and host and folds case.  Patterns and templates match valid
 *               UTF-8 only, predicates any bytes.
 * Callbacks     run on the calling thread, before the call returns, without a lock.  A callback that fails ends the call with
 *               ROUTABLE_ERR_CALLBACK; what was shown until then stays.  Callbacks may call any function of this header,
 *               routable_presentation_set of the same presentation included: the inner call runs to its end, then the outer
 *               call continues.  They may free the presentation, which lives until the call returns.  Their arguments are
 *               borrowed until they return.
 * Release       The user_data of a presenter, predicate or handler is released when the builder and all presentations made
 *               from it are freed, or when adding it fails.  Exception: a presenter that is NULL or has a wrong size cannot
 *               be read.
 * Errors        name the presenter: routable_error_route.
 * The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_PRESENTATION_H
#define ROUTABLE_PRESENTATION_H

#include "routable_builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Visit: the path that is being set.  Borrowed for the callback that receives it.
 */

typedef struct routable_visit routable_visit;

/* The path as it was given; empty if a presentable is requested without one. */
ROUTABLE_API routable_str routable_visit_path(const routable_visit *visit);
/* The name of the presenter whose route accepts the path; may be empty. */
ROUTABLE_API routable_str routable_visit_route(const routable_visit *visit);
/* The captures of the route, from left to right: named groups of a pattern as they are in the path, parameters of a template
 * decoded.  Names, and values as strings; empty if the index is out of range. */
ROUTABLE_API size_t routable_visit_capture_count(const routable_visit *visit);
ROUTABLE_API routable_str routable_visit_capture_name_at(const routable_visit *visit, size_t index);
ROUTABLE_API routable_str routable_visit_capture_string_at(const routable_visit *visit, size_t index);
/* The value of a capture with its declared type: an integer, real, boolean or string; an integer beyond 64 bits is a string.
 * ROUTABLE_KIND_NULL if the index is out of range, and for a name that was not captured. */
ROUTABLE_API routable_value routable_visit_capture_at(const routable_visit *visit, size_t index);
ROUTABLE_API routable_value routable_visit_capture(const routable_visit *visit, const char *name);

/* ------------------------------------------------------------------------------------------------
 * Presenter: the callbacks that show something
 */

/* Writes what the presenter shows into `out`.  Called each time it is used, never before. */
typedef routable_status (*routable_presentable_fn)(const routable_visit *visit, void **out, void *user_data);
/* Shows one of the children. */
typedef routable_status (*routable_set_child_fn)(void *child, const routable_visit *visit, void *user_data);
/* Sets all children, or the screens of a stack with the topmost last. */
typedef routable_status (*routable_set_children_fn)(
    void *const *children, size_t count, const routable_visit *visit, void *user_data);
/* Decides whether a route accepts a path: ROUTABLE_OK or ROUTABLE_NO_MATCH.  Called at most once in a call. */
typedef routable_status (*routable_predicate_fn)(routable_str path, void *user_data);
/* Reports that a path was set that no route accepts. */
typedef routable_status (*routable_unmatched_fn)(const routable_visit *visit, void *user_data);

/* A presenter: its name and its callbacks. */
typedef struct routable_presenter {
    size_t size;                           /* sizeof(routable_presenter) */
    const char *name;                      /* unique in its presentation; not NULL */
    routable_presentable_fn presentable;   /* NULL: user_data is the presentable */
    routable_set_child_fn set_child;       /* required for a junction */
    routable_set_children_fn set_children; /* required for a junction and a stack */
    void *user_data;
    routable_release_fn release;
} routable_presenter;
#define ROUTABLE_PRESENTER_INIT { sizeof(routable_presenter), NULL, NULL, NULL, NULL, NULL, NULL }

/* ------------------------------------------------------------------------------------------------
 * Builder: parents before children, children in the order in which they are tried
 *
 * The functions that add a presenter place it below the one named `parent`; NULL for the root.  After a failure the builder is
 * unchanged.  CONFLICT: the name is used already, or there is a root already.  UNKNOWN: no such parent.  DOCUMENT: an invalid
 * pattern or template, a parent that cannot have children, or a junction or stack in a stack or below a route, where it would
 * never be shown.  LIMIT: more than 64 levels.
 */

typedef struct routable_presentation_builder routable_presentation_builder;
typedef struct routable_presentation routable_presentation;

/* The route is relative to the pattern or the template of the route it is below, after a slash. */
enum { ROUTABLE_ROUTE_RELATIVE = 1 };

/* Makes a builder.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_new(
    routable_presentation_builder **out, routable_error **error);
/* Frees the builder; presentations made from it remain. */
ROUTABLE_API void routable_presentation_builder_free(routable_presentation_builder *builder);

/* Adds a presenter without a route, which accepts no path.  Statuses: CONFLICT, UNKNOWN, DOCUMENT, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_presenter(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
/* Adds a junction.  Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_junction(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
/* Adds a stack.  Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_stack(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_error **error);
/* Adds a route that accepts the paths that a PCRE2 pattern matches as a whole; named groups are captured.
 * Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_pattern(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    const char *pattern, uint32_t flags, routable_error **error);
/* Adds a route that accepts paths that match a template, such as "users/{id}".  `ids` are the types of its parameters (type,
 * format, pattern, values, lengths and bounds are used), all with the size of the first; a parameter without one accepts any string.
 * Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_template(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    const char *path_template, const routable_parameter_options *ids, size_t id_count, uint32_t flags,
    routable_error **error);
/* Adds a route that accepts the paths that a callback accepts.
 * Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_predicate(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_predicate_fn predicate, void *user_data, routable_release_fn release, routable_error **error);
/* Adds the tree of a JSON document (docs/schema/presentation.schema.json).  Its presenters are bound by name: each name in the
 * document has one of `presenters`, and each presenter is in the document.  All have the size of the first.  Errors have a
 * pointer, line and column.
 * Statuses: those of routable_presentation_builder_add_presenter, JSON, UNSUPPORTED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_document(
    routable_presentation_builder *builder, const char *parent, const char *document, size_t length,
    const routable_presenter *presenters, size_t presenter_count, routable_error **error);
/* Sets the handler that is called when a path is set that no route accepts, after the presenters.  Replaces an earlier one.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_set_unmatched(
    routable_presentation_builder *builder, routable_unmatched_fn unmatched, void *user_data,
    routable_release_fn release, routable_error **error);
/* Makes a presentation.  The builder remains usable.  Statuses: DOCUMENT when nothing was added, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_build(
    const routable_presentation_builder *builder, routable_presentation **out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Presentation: the tree, immutable, shared by any number of threads
 */

/* The maximum number of levels of a tree, and so of presentables in a stack. */
#define ROUTABLE_PRESENTATION_DEPTH 64

/* Frees the presentation; if one of its callbacks calls this, when the outer call returns. */
ROUTABLE_API void routable_presentation_free(routable_presentation *presentation);
/* Returns the presentable of the root.  Statuses: CALLBACK, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_presentable(
    const routable_presentation *presentation, void **out, routable_error **error);
/* Tests whether a route accepts the path, without setting it.
 * Statuses: NO_MATCH, CALLBACK (of a predicate), LIMIT (a pattern exceeded its match limit), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_handles(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* Shows a path.  The route is found first.  A junction then gets all its children; what is below the first child that accepts
 * the path is set; then the junction gets that child.  A stack gets the screens on the way to the route, or none if there is no
 * route.  Setting the same path again makes the same calls again.
 * OK: a route accepts the path, or the root is a stack.  NO_MATCH: neither, and always for a root that is a route.
 * Statuses: NO_MATCH, CALLBACK (also before any presenter is called, if a required callback is NULL), LIMIT (of a pattern, or
 * more than 64 nested calls), ARGUMENT. */
ROUTABLE_API routable_status routable_presentation_set(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* The presentables on the way to the route of a path, the root's first, if the root is a route.  `*count` is also written with
 * BUFFER, if `capacity` is less.  Statuses: NO_MATCH, BUFFER, CALLBACK, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_stack(
    const routable_presentation *presentation, routable_str path, void **presentables, size_t capacity,
    size_t *count, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
