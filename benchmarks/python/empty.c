/* empty.c - what a call through ctypes costs that does nothing: texts in, a text out. */
static const char url[] = "https://api.example.com/v1/users/initFabian/statuses/3/comments/32352";

const char *empty_one(const char *a) { (void)a; return url; }
const char *empty_two(const char *a, const char *b) { (void)a; (void)b; return url; }
const char *empty_three(const char *a, const char *b, const char *c) { (void)a; (void)b; (void)c; return url; }
