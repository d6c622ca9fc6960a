/* library_service.c - a whole service in C: a description, libmicrohttpd for HTTP (routable_microhttpd.h), and SQLite for what it
 * stores.
 *
 *   library_service DESCRIPTION DATABASE TOKEN [PORT]      the first line on stdout is the port; without PORT, a free one
 *
 * The description (library.json) says what a request may be.  Routable reads each request to its call, or has the problem document
 * for it; the functions of the table below store and find; Routable makes the response from what they found, and validates it. */
#include "routable_microhttpd.h"

#include <signal.h>
#include <sqlite3.h>

static routable_router *api;
static sqlite3 *database;
static const char *token;

/* --- What the operations do: each returns the HTTP status, 0 for the usual one of the operation, and the JSON of the response --- */

typedef struct result {
    char *json; /* allocated by SQLite; NULL: no body */
    char location_id[24];
} result;

/* Executes a statement with a text for each "?", and returns the first column of the first row, for sqlite3_free. */
static int execute(const char *sql, routable_str one, routable_str two, routable_str three, result *out)
{
    const routable_str values[] = { one, two, three };
    sqlite3_stmt *statement = NULL;
    int status, index;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        return SQLITE_ERROR;
    }
    for (index = 1; index <= sqlite3_bind_parameter_count(statement); index++)
        sqlite3_bind_text(statement, index, values[index - 1].ptr, (int)values[index - 1].len, SQLITE_TRANSIENT);
    status = sqlite3_step(statement);
    if (status == SQLITE_ROW && out) out->json = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return status;
}

static const routable_str none = { NULL, 0 };

static int with_json(const char *sql, routable_str one, routable_str two, result *out)
{
    return execute(sql, one, two, none, out) == SQLITE_ROW && out->json ? 0 : 404;
}

/* 404 if nothing was changed. */
static int changed(const char *sql, routable_str one, routable_str two, routable_str three)
{
    return execute(sql, one, two, three, NULL) == SQLITE_DONE && sqlite3_changes(database) > 0 ? 0 : 404;
}

static int list_shelves(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)shelf, (void)number, (void)body;
    return with_json("SELECT json_group_array(json(value)) FROM shelves", none, none, out);
}

static int create_shelf(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)shelf, (void)number;
    if (execute("INSERT INTO shelves SELECT json_extract(?1, '$.name'), json(?1)", body, none, none, NULL) != SQLITE_DONE) return 409;
    with_json("SELECT value FROM shelves WHERE rowid = last_insert_rowid()", none, none, out);
    return 201;
}

static int read_shelf(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)number, (void)body;
    return with_json("SELECT value FROM shelves WHERE name = ?1", shelf, none, out);
}

static int update_shelf(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)number;
    if (changed("UPDATE shelves SET value = json_set(json(?2), '$.name', name) WHERE name = ?1", shelf, body, none)) return 404;
    return with_json("SELECT value FROM shelves WHERE name = ?1", shelf, none, out);
}

static int delete_shelf(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)number, (void)body, (void)out;
    return changed("DELETE FROM shelves WHERE name = ?1", shelf, none, none);
}

#define BOOK "json_set(value, '$.number', number)"

static int list_books(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)number, (void)body;
    return with_json("SELECT json_group_array(" BOOK ") FROM books WHERE shelf = ?1", shelf, none, out);
}

static int create_book(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)number;
    if (changed("INSERT INTO books (shelf, value) SELECT name, json(?2) FROM shelves WHERE name = ?1", shelf, body, none)) return 404;
    snprintf(out->location_id, sizeof out->location_id, "%lld", (long long)sqlite3_last_insert_rowid(database));
    with_json("SELECT " BOOK " FROM books WHERE number = last_insert_rowid()", none, none, out);
    return 201;
}

static int read_book(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)body;
    return with_json("SELECT " BOOK " FROM books WHERE shelf = ?1 AND number = CAST(?2 AS INTEGER)", shelf, number, out);
}

static int update_book(routable_str shelf, routable_str number, routable_str body, result *out)
{
    if (changed("UPDATE books SET value = json(?3) WHERE shelf = ?1 AND number = CAST(?2 AS INTEGER)", shelf, number, body)) return 404;
    return read_book(shelf, number, body, out);
}

static int delete_book(routable_str shelf, routable_str number, routable_str body, result *out)
{
    (void)body, (void)out;
    return changed("DELETE FROM books WHERE shelf = ?1 AND number = CAST(?2 AS INTEGER)", shelf, number, none);
}

static const struct handler {
    const char *route, *operation;
    int (*run)(routable_str shelf, routable_str number, routable_str body, result *out);
} handlers[] = {
    { "shelf", "list", list_shelves },     { "shelf", "create", create_shelf }, { "shelf", "read", read_shelf },
    { "shelf", "update", update_shelf },   { "shelf", "delete", delete_shelf }, { "shelf.book", "list", list_books },
    { "shelf.book", "create", create_book }, { "shelf.book", "read", read_book }, { "shelf.book", "update", update_book },
    { "shelf.book", "delete", delete_book },
};

/* --- From a request to its response --- */

static int is_equal(routable_str text, const char *other) { return text.len == strlen(other) && !memcmp(text.ptr, other, text.len); }

/* Called before anything but the path of a request is read. */
static routable_status verify(routable_str scheme, routable_str credential, void *data)
{
    (void)scheme, (void)data;
    return is_equal(credential, token) ? ROUTABLE_OK : ROUTABLE_ERR_CREDENTIAL;
}

static routable_answer *respond(const routable_received *received, void *data)
{
    const routable_str route = routable_received_route(received);
    const routable_str operation = routable_operation_name(routable_received_operation(received));
    const routable_value number = routable_received_value(received, ROUTABLE_IN_PATH, "number");
    routable_value shelf = routable_received_value(received, ROUTABLE_IN_PATH, "shelf_id");
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_argument ids[2];
    routable_answer *answer;
    result found;
    char digits[24] = "";
    size_t index;
    int status = 501;
    (void)data;
    memset(&found, 0, sizeof found);
    if (shelf.kind != ROUTABLE_KIND_STRING) shelf = routable_received_value(received, ROUTABLE_IN_PATH, "name");
    if (number.kind == ROUTABLE_KIND_INTEGER) snprintf(digits, sizeof digits, "%lld", (long long)number.as.integer);
    for (index = 0; index < sizeof handlers / sizeof *handlers; index++)
        if (is_equal(route, handlers[index].route) && is_equal(operation, handlers[index].operation))
            status = handlers[index].run(shelf.as.string, routable_str_from(digits), routable_received_body(received), &found);
    if (found.location_id[0]) {
        ids[0] = (routable_argument){ "shelf_id", shelf };
        ids[1] = (routable_argument){ "id", routable_value_integer(strtoll(found.location_id, NULL, 10)) };
        options.location_route = "shelf.book";
        options.location_ids = ids;
        options.location_id_count = 2;
    }
    answer = status < 400    ? served_json(received, status, found.json, &options)
             : status == 404 ? served_problem(received, status, "there is no such item")
             : status == 409 ? served_problem(received, status, "the shelf exists")
                             : served_problem(received, status, "this service has no handler for the operation");
    sqlite3_free(found.json);
    return answer;
}

/* --- The process --- */

static int open_all(const char *description, const char *file)
{
    static const char tables[] =
        "PRAGMA foreign_keys = ON;"
        "CREATE TABLE IF NOT EXISTS shelves (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE IF NOT EXISTS books (number INTEGER PRIMARY KEY AUTOINCREMENT, shelf TEXT NOT NULL REFERENCES shelves ON DELETE CASCADE,"
        " value TEXT NOT NULL);";
    routable_error *error = NULL;
    if (routable_router_open_file(description, NULL, &api, &error) != ROUTABLE_OK) {
        fprintf(stderr, "%s: %s\n", description, routable_error_message(error).ptr);
        routable_error_free(error);
        return 0;
    }
    if (sqlite3_open(file, &database) != SQLITE_OK || sqlite3_exec(database, tables, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", file, sqlite3_errmsg(database));
        return 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    struct MHD_Daemon *daemon;
    served it = { 0 };
    sigset_t signals;
    int received;
    if (count < 4 || count > 5) {
        fprintf(stderr, "usage: %s DESCRIPTION DATABASE TOKEN [PORT]\n", arguments[0]);
        return 2;
    }
    token = arguments[3];
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    if (!open_all(arguments[1], arguments[2])) return 1;
    it.api = api;
    it.respond = respond;
    it.verify = verify;
    /* One thread, so that the statements of a request are not mixed with those of another. */
    daemon = serve(&it, count == 5 ? (unsigned)atoi(arguments[4]) : 0);
    if (!daemon) {
        fprintf(stderr, "the service cannot listen\n");
        return 1;
    }
    printf("%u\n", served_port(daemon));
    fflush(stdout);
    sigwait(&signals, &received);
    MHD_stop_daemon(daemon);
    sqlite3_close(database);
    routable_router_free(api);
    return 0;
}
