/* routable_router.h - a router: an opened description, immutable and shared by any number of threads.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_ROUTER_H
#define ROUTABLE_ROUTER_H

#include "routable_values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_router routable_router;

/* A JSON document that an OpenAPI document or a schema can reference.  The library never reads references over the network.
 * Frozen. */
typedef struct routable_document { routable_str uri; routable_str json; } routable_document;
#define ROUTABLE_DOCUMENT_INIT { { NULL, 0 }, { NULL, 0 } }

/* Returns a document that an OpenAPI document references, in JSON or YAML.  `uri` is the reference without its fragment, resolved
 * against the document that contains it: the option `uri`, or without it the path of the file.  It is valid during the call, and
 * is not NUL-terminated.  The library calls the function once for each document, on the thread that opens.  The bytes in `*out`
 * must remain valid until the next call of the function or the end of the call that opens; an `*out` that is left unchanged means
 * that there is no such document, which is a warning.  With any other status than ROUTABLE_OK, opening fails with CALLBACK.
 * Since 0.2.0. */
typedef routable_status (*routable_load_fn)(routable_str uri, routable_str *out, void *user_data);

/* Options for opening a document. */
typedef struct routable_open_options {
    size_t size;               /* sizeof(routable_open_options) */
    size_t max_document_bytes; /* 0: 64 MiB */
    const char *base;          /* replaces the base of the document, or all servers of OpenAPI; may be NULL */
    uint32_t flags;            /* 0 */
    uint32_t reserved;         /* 0 */
    const routable_document *documents; /* OpenAPI: documents that references can point to */
    size_t document_count;
    const char *uri;           /* OpenAPI: the URI of the document, the base of its relative URIs; may be NULL */
    const routable_str *overlays; /* OpenAPI: overlays as JSON, applied in this order (docs/openapi.md, "Overlays") */
    size_t overlay_count;
    const routable_str *only;  /* names of the operations to include, "resource.operation" in a route document; NULL: all */
    size_t only_count;
    const routable_str *except; /* names of the operations to omit; cannot be combined with `only` */
    size_t except_count;
    const char *folder;        /* routable_router_open_file: references may lead to all files below this folder; NULL: below the
                                * folder of the document.  Since 0.2.0 */
    routable_load_fn load;     /* OpenAPI: returns the documents that references lead to, instead of files; may be NULL.
                                * Since 0.2.0 */
    void *load_user_data;      /* Since 0.2.0 */
} routable_open_options;
#define ROUTABLE_OPEN_OPTIONS_INIT \
    { sizeof(routable_open_options), 0, NULL, 0, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, NULL }

/* Opens a route document (docs/route-document.md), an OpenAPI 3.0, 3.1 or 3.2 document or a Swagger 2.0 document
 * (docs/openapi.md), in JSON or YAML.  The document's own keys determine its format.  References to other documents are followed
 * only with the options `documents` and `load`.
 * Statuses: JSON (also for YAML), DOCUMENT, CONFLICT, UNSUPPORTED (also for YAML without the library libyaml), LIMIT, URL, HEADER,
 * ARGUMENT, UNKNOWN (a name under `only` or `except`), CALLBACK (the option `load`). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open(
    const char *document, size_t length, const routable_open_options *options, routable_router **out, routable_error **error);

/* Opens a document from a file; a name that ends in .yaml or .yml means YAML.  Relative references in an OpenAPI document are
 * followed to files below its folder, or below the option `folder` (docs/openapi.md, "Documents in many files").  A reference that
 * leaves the folder, also by a symbolic link, is an error with DOCUMENT.  The option `max_document_bytes` limits all files together.
 * The message of an error begins with the path of the file that it is in; its pointer, line and column are in that file.
 * Statuses: those of routable_router_open, FILE. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open_file(
    const char *path, const routable_open_options *options, routable_router **out, routable_error **error);

/* Frees the router.  Requests, plans and schemas that were made from it remain valid. */
ROUTABLE_API void routable_router_free(routable_router *router);

/* The name of the description, and the base URL of the router (the option `base`, or the base of the description).  Both may be
 * empty. */
ROUTABLE_API routable_str routable_router_name(const routable_router *router);
ROUTABLE_API routable_str routable_router_base(const routable_router *router);

/* Warnings about the description, in English: for example, that no path can reach a route, or that a reference in an OpenAPI
 * document cannot be resolved.  routable_router_warning_at returns the empty string if the index is out of range. */
ROUTABLE_API size_t routable_router_warning_count(const routable_router *router);
ROUTABLE_API routable_str routable_router_warning_at(const routable_router *router, size_t index);

/* Returns the description as a route document (JSON), also if a builder made it; the options `base`, `only` and `except` are
 * applied.  For an OpenAPI document, the function returns the OpenAPI document with its overlays applied, but without the
 * effect of these three options.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_document(
    const routable_router *router, routable_string *out, routable_error **error);

/* The API map: one line for each resource, with its operations, nested resources and type.  The map does not contain
 * standalone operations.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_map(
    const routable_router *router, routable_string *out, routable_error **error);

/* The route table with the column titles Prefix, Verb, URI Pattern and Resource#Operation.  The rows list the operations of
 * root resources, then those of nested resources, once for each parent and depth first, and then standalone operations.
 * routable_router_routes_json returns the rows as JSON.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_routes(
    const routable_router *router, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
