/* routable_typed.h - the base of the headers that `routable generate c` writes (docs/generate.md).
 *
 * A program includes its generated header, which includes this one.  Programs use the types for optional values and lists, and
 * the functions that make them (routable_typed_values.h).  Names that start with `routable_typed_` are for generated code only.
 * All functions are inline and use only routable.h, so functions that a program does not call are not compiled into it.
 */
#ifndef ROUTABLE_TYPED_H
#define ROUTABLE_TYPED_H

#include "routable_typed_values.h" /* optional values, lists, inputs */

/* For generated code. */
#include "routable_typed_write.h" /* structs as JSON */
#include "routable_typed_read.h"  /* JSON as structs */
#include "routable_typed_call.h"  /* routes, requests and results */

#endif
