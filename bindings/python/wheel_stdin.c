/* wheel_stdin.c - only in the wheel's library, which has jansson's archive inside.  The archive is made for programs: its
 * json_loadf refers to stdin in a way that a shared library cannot.  Nothing here calls json_loadf; this stands in for it. */
__attribute__((visibility("hidden"))) void *stdin;
