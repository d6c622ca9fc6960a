/* routable_presentation.h - selects the screens of a user interface by path (docs/presentation.md).
 *
 * A presentation is a tree of presenters.  A junction shows one of its children, like tabs; a stack shows the screens on the
 * way to a route; a route accepts paths by a pattern, a template or a predicate.  routable_presentation_set calls the
 * presenters with the screens to show for a path.  For a deep link, these screens include the screens behind the topmost one.
 *
 *     routable_presentation_builder_new(&builder, &error);
 *     routable_presentation_builder_add_junction(builder, NULL, &tabs, &error);
 *     routable_presentation_builder_add_stack(builder, "tabs", &navigation, &error);
 *     routable_presentation_builder_add_pattern(builder, "navigation", &welcome, "welcome", 0, &error);
 *     routable_presentation_builder_add_pattern(builder, "welcome", &login, "welcome/login", 0, &error);
 *     routable_presentation_builder_build(builder, &app, &error);
 *     routable_presentation_set(app, ROUTABLE_STR("welcome/login"), &error);
 *
 * Presentables  A presenter shows a `void *` of your program.  The library passes it to callbacks and never dereferences it.
 * Paths         are not normalized: the caller must remove the scheme and the host, and fold the case if the case is not
 *               significant.  Patterns and templates match only valid UTF-8; predicates receive any bytes.
 * Callbacks     run on the calling thread, before the call returns; the library holds no lock.  If a callback fails, the call
 *               returns ROUTABLE_ERR_CALLBACK; earlier callbacks are not undone.  Callbacks may call any function of this
 *               header, including routable_presentation_set with the same presentation: the inner call completes before the
 *               outer call continues.  Callbacks may free the presentation, which remains valid until the call returns.  The
 *               arguments of a callback are valid until it returns.
 * Release       The user_data of a presenter, predicate or handler is released when the builder and all presentations made
 *               from it are freed, or when the function that adds it fails.  For a handler that another one replaced, it is
 *               released when the presentations that use the handler are freed.
 * Errors        about one presenter contain its name (routable_error_route).
 * The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_PRESENTATION_H
#define ROUTABLE_PRESENTATION_H

#include "routable_builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Visit: the path, the route and the captures of the call in progress.  Valid only during the callback that receives the visit.
 */

typedef struct routable_visit routable_visit;

/* The path that was passed to the call; empty for routable_presentation_presentable. */
ROUTABLE_API routable_str routable_visit_path(const routable_visit *visit);
/* The name of the presenter whose route accepts the path; empty if no route accepts it, and for
 * routable_presentation_presentable. */
ROUTABLE_API routable_str routable_visit_route(const routable_visit *visit);
/* The captures of the route, from left to right: the named groups of a pattern that took part in the match, which are not
 * percent-decoded, or the parameters of a template, which are.  A predicate has no captures.  The functions return the number
 * of captures, and the name and the value of one capture as strings, which are empty if the index is out of range. */
ROUTABLE_API size_t routable_visit_capture_count(const routable_visit *visit);
ROUTABLE_API routable_str routable_visit_capture_name_at(const routable_visit *visit, size_t index);
ROUTABLE_API routable_str routable_visit_capture_string_at(const routable_visit *visit, size_t index);
/* The value of a capture with its declared type: an integer, real, boolean or string.  An integer beyond 64 bits is a string.
 * The kind is ROUTABLE_KIND_NULL if the index is out of range, or if no capture has the name. */
ROUTABLE_API routable_value routable_visit_capture_at(const routable_visit *visit, size_t index);
ROUTABLE_API routable_value routable_visit_capture(const routable_visit *visit, const char *name);

/* ------------------------------------------------------------------------------------------------
 * Presenter: the callbacks that show something
 */

/* Writes the presentable of the presenter into `*out`.  The library calls the function each time that it uses the presentable,
 * never in advance. */
typedef routable_status (*routable_presentable_fn)(const routable_visit *visit, void **out, void *user_data);
/* Shows one of the children of a junction; `child` is the presentable of this child. */
typedef routable_status (*routable_set_child_fn)(void *child, const routable_visit *visit, void *user_data);
/* Sets all children of a junction, or the screens of a stack, the topmost last.  `children` contains their presentables. */
typedef routable_status (*routable_set_children_fn)(
    void *const *children, size_t count, const routable_visit *visit, void *user_data);
/* Returns ROUTABLE_OK if the route accepts the path, and ROUTABLE_NO_MATCH if it does not.  Each call of
 * routable_presentation_set, routable_presentation_handles or routable_presentation_stack calls the predicate at most once. */
typedef routable_status (*routable_predicate_fn)(routable_str path, void *user_data);
/* Handles a path that was set and that no route accepts, for example by showing a "not found" screen. */
typedef routable_status (*routable_unmatched_fn)(const routable_visit *visit, void *user_data);

/* A presenter: its name and its callbacks. */
typedef struct routable_presenter {
    size_t size;                           /* sizeof(routable_presenter) */
    const char *name;                      /* unique in its presentation; not NULL, not empty */
    routable_presentable_fn presentable;   /* NULL: user_data is the presentable */
    routable_set_child_fn set_child;       /* required for a junction */
    routable_set_children_fn set_children; /* required for a junction and a stack */
    void *user_data;
    routable_release_fn release;
} routable_presenter;
#define ROUTABLE_PRESENTER_INIT { sizeof(routable_presenter), NULL, NULL, NULL, NULL, NULL, NULL }

/* ------------------------------------------------------------------------------------------------
 * Builder: add parents before children, and children in the order in which they are tried
 *
 * The functions add a presenter below the presenter with the name `parent`, or as the root if `parent` is NULL.  A failure does
 * not change the builder.  CONFLICT: the name is already used, or there is already a root.  UNKNOWN: `parent` does not exist.
 * DOCUMENT: an invalid pattern or template, an element of `ids` that names no parameter of the template, a pattern that is
 * relative to a template or the reverse, a parent that cannot have children, or a junction or stack in a stack or below a
 * route, where it would never be shown.  LIMIT: more than 64 levels, 1048576 presenters, or 32 elements of `ids`, or a
 * document of more than 64 MiB.
 */

typedef struct routable_presentation_builder routable_presentation_builder;
typedef struct routable_presentation routable_presentation;

/* The pattern or template is relative to the pattern or template of the parent, and the library joins the two with a slash.
 * The flag has no effect if the parent has no pattern or template. */
enum { ROUTABLE_ROUTE_RELATIVE = 1 };

/* Makes a builder.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_new(
    routable_presentation_builder **out, routable_error **error);
/* Frees the builder.  Presentations that were made from it remain valid. */
ROUTABLE_API void routable_presentation_builder_free(routable_presentation_builder *builder);

/* Adds a presenter that has no route, and therefore accepts no path.
 * Statuses: CONFLICT, UNKNOWN, DOCUMENT, LIMIT, ARGUMENT. */
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
/* Adds a route that accepts paths that match a template, such as "users/{id}".  `ids` contains the types of the template's
 * parameters; all elements have the same `size`.  Of each element, the library uses the name, type, format, pattern, values,
 * lengths and bounds.  A parameter that is not in `ids` accepts any string that is not empty.
 * Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_template(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    const char *path_template, const routable_parameter_options *ids, size_t id_count, uint32_t flags,
    routable_error **error);
/* Adds a route that accepts the paths for which `predicate` returns ROUTABLE_OK.
 * Statuses: those of routable_presentation_builder_add_presenter. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_predicate(
    routable_presentation_builder *builder, const char *parent, const routable_presenter *presenter,
    routable_predicate_fn predicate, void *user_data, routable_release_fn release, routable_error **error);
/* Adds the tree of a JSON document (docs/schema/presentation.schema.json).  `presenters` must contain exactly the presenters
 * that the document names; all elements have the same `size`.  An error in the document has a pointer, a line and a column.
 * Statuses: those of routable_presentation_builder_add_presenter, UNKNOWN (also: a name without a presenter, or a presenter
 * that the document does not name), JSON, UNSUPPORTED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_add_document(
    routable_presentation_builder *builder, const char *parent, const char *document, size_t length,
    const routable_presenter *presenters, size_t presenter_count, routable_error **error);
/* Sets the handler that routable_presentation_set calls after the presenters if no route accepts the path.  A second call
 * replaces the handler.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_set_unmatched(
    routable_presentation_builder *builder, routable_unmatched_fn unmatched, void *user_data,
    routable_release_fn release, routable_error **error);
/* Makes a presentation.  The builder remains usable.  Statuses: DOCUMENT (nothing was added), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_builder_build(
    const routable_presentation_builder *builder, routable_presentation **out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Presentation: the tree, immutable, shared by any number of threads
 */

/* The maximum number of levels of a tree, and therefore of presentables in a stack. */
#define ROUTABLE_PRESENTATION_DEPTH 64

/* Frees the presentation.  If one of its callbacks calls this function, the presentation is freed when the outer call
 * returns. */
ROUTABLE_API void routable_presentation_free(routable_presentation *presentation);
/* Returns the presentable of the root.  Statuses: CALLBACK, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_presentable(
    const routable_presentation *presentation, void **out, routable_error **error);
/* Tests whether a route accepts the path, without setting it.
 * Statuses: NO_MATCH, CALLBACK (of a predicate), LIMIT (a pattern exceeded its match limit), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_handles(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* Shows a path.  The library finds the route, and then calls the presenters.  A junction receives all its children
 * (`set_children`); the presenters below the first child that accepts the path are called; then the junction receives that
 * child (`set_child`).  A stack receives the screens on the way to the route.  If no route accepts the path, only the root is
 * called: a junction receives its children, and a stack receives no screens.  A second call with the same path makes the same
 * calls again.  Returns ROUTABLE_OK if the root is a stack, or if the root is a junction and a route accepts the path;
 * otherwise NO_MATCH, also if the root is a route that accepts the path.
 * Statuses: NO_MATCH, CALLBACK (also before any presenter is called, if a required callback is NULL), LIMIT (a pattern exceeded
 * its match limit, or 64 calls of this function with this presentation are already in progress, nested or in other threads),
 * ARGUMENT. */
ROUTABLE_API routable_status routable_presentation_set(
    const routable_presentation *presentation, routable_str path, routable_error **error);
/* Writes the presentables on the way from the root to the route of the path, and their number to `*count`.  Returns NO_MATCH if
 * no route accepts the path, or if the root is not a route.  If `capacity` is too small, returns BUFFER, writes the required
 * number to `*count`, and writes no presentables.  With a `capacity` of 0, `presentables` is not used.
 * Statuses: NO_MATCH, BUFFER, CALLBACK, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_presentation_stack(
    const routable_presentation *presentation, routable_str path, void **presentables, size_t capacity,
    size_t *count, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
