/* store.c - the members of a mock in a file of SQLite, which is loaded when the first store is opened.
 *
 * Each request that changes members is one transaction in a write-ahead log, which is written to the disk before the response is
 * sent (synchronous=FULL).  The file is locked for other processes. */
#include "CServe.h"
#include "CSystemLibrary.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CSYSTEM_LIBRARY_NOTE(
    "[{\"soname\":[\"libsqlite3.so.0\"],\"feature\":\"store\",\"description\":\"Storing what a mock server creates\","
    "\"priority\":\"suggested\"}]");

struct sqlite3;
struct statement;

enum {
    BUSY = 5, CORRUPT = 11, NOTADB = 26, ROW = 100, DONE = 101, OPEN_READWRITE = 2, OPEN_CREATE = 4, OPEN_FULLMUTEX = 0x10000,
    APPLICATION = 0x52744d31, /* "RtM1" */
    FORMAT = 1,
};

#if defined __has_include
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
/* If the header of SQLite is installed, these numbers are compared with it. */
#define SAME(ours, theirs) _Static_assert(ours == theirs, "SQLite has another number")
SAME(BUSY, SQLITE_BUSY);
SAME(CORRUPT, SQLITE_CORRUPT);
SAME(NOTADB, SQLITE_NOTADB);
SAME(ROW, SQLITE_ROW);
SAME(DONE, SQLITE_DONE);
SAME(OPEN_READWRITE, SQLITE_OPEN_READWRITE);
SAME(OPEN_CREATE, SQLITE_OPEN_CREATE);
SAME(OPEN_FULLMUTEX, SQLITE_OPEN_FULLMUTEX);
#endif
#endif

static struct {
    int is_open;
    int (*open)(const char *, struct sqlite3 **, int, const char *);
    int (*close)(struct sqlite3 *);
    int (*exec)(struct sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
    int (*prepare)(struct sqlite3 *, const char *, int, struct statement **, const char **);
    int (*bind_text)(struct statement *, int, const char *, int, void (*)(void *));
    int (*bind_int64)(struct statement *, int, int64_t);
    int (*bind_null)(struct statement *, int);
    int (*step)(struct statement *);
    int (*reset)(struct statement *);
    int (*finalize)(struct statement *);
    const unsigned char *(*column_text)(struct statement *, int);
    int (*column_bytes)(struct statement *, int);
    int64_t (*column_int64)(struct statement *, int);
    const char *(*errmsg)(struct sqlite3 *);
    int (*busy_timeout)(struct sqlite3 *, int);
} sqlite;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int load(char *reason, size_t capacity)
{
    const struct csystem_symbol wanted[] = {
        { "sqlite3_open_v2", &sqlite.open },           { "sqlite3_close", &sqlite.close },
        { "sqlite3_exec", &sqlite.exec },              { "sqlite3_prepare_v2", &sqlite.prepare },
        { "sqlite3_bind_text", &sqlite.bind_text },    { "sqlite3_bind_int64", &sqlite.bind_int64 },
        { "sqlite3_bind_null", &sqlite.bind_null },    { "sqlite3_step", &sqlite.step },
        { "sqlite3_reset", &sqlite.reset },            { "sqlite3_finalize", &sqlite.finalize },
        { "sqlite3_column_text", &sqlite.column_text }, { "sqlite3_column_bytes", &sqlite.column_bytes },
        { "sqlite3_column_int64", &sqlite.column_int64 }, { "sqlite3_errmsg", &sqlite.errmsg },
        { "sqlite3_busy_timeout", &sqlite.busy_timeout },
    };
    int is_open;
    pthread_mutex_lock(&loading);
    if (!sqlite.is_open) /* the library stays loaded until the process ends */
        sqlite.is_open = csystem_library_open("libsqlite3.so.0", wanted, sizeof wanted / sizeof *wanted, reason, capacity) != NULL;
    is_open = sqlite.is_open;
    pthread_mutex_unlock(&loading);
    return is_open;
}

enum { PUT, REMOVE, REMOVE_BELOW, BEGIN, COMMIT, ROLL_BACK, NOTE, SET_NOTE, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    [PUT] = ("INSERT INTO member(path, json, version) VALUES(?1, ?2, ?3)"
             " ON CONFLICT(path) DO UPDATE SET json = excluded.json, version = excluded.version"),
    [REMOVE] = "DELETE FROM member WHERE path = ?1",
    [REMOVE_BELOW] = "DELETE FROM member WHERE path >= ?1 || '/' AND path < ?1 || '0'", /* '0' is the byte after the slash */
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLL_BACK] = "ROLLBACK",
    [NOTE] = "SELECT text FROM note WHERE name = ?1",
    [SET_NOTE] = "INSERT OR REPLACE INTO note(name, text) VALUES(?1, ?2)",
};

struct cserve_store {
    struct sqlite3 *database;
    struct statement *statements[STATEMENTS];
    int is_in_transaction;
    char *note;
};

static int32_t result(int code)
{
    switch (code & 0xff) {
    case 0:
    case ROW:
    case DONE: return CSERVE_STORE_OK;
    case BUSY: return CSERVE_STORE_LOCKED;
    case CORRUPT: return CSERVE_STORE_DAMAGED;
    case NOTADB: return CSERVE_STORE_OTHER;
    default: return CSERVE_STORE_FAILED;
    }
}

/* --- Opening --- */

/* Stores the first column of a row as a number. */
static int one_number(void *out, int count, char **columns, char **names)
{
    (void)names;
    if (count > 0 && columns[0])
        *(long long *)out = strtoll(columns[0], NULL, 10);
    return 0;
}

static int number(struct cserve_store *store, const char *text, long long *out)
{
    *out = 0;
    return sqlite.exec(store->database, text, one_number, out, NULL);
}

static int is_ok(void *out, int count, char **columns, char **names)
{
    (void)names;
    *(int *)out = count > 0 && columns[0] && strcmp(columns[0], "ok") == 0;
    return 0;
}

static int32_t check(struct cserve_store *store)
{
    long long application, format, tables;
    int is_sound, code;
    char text[512];
    /* A file of another program is not changed. */
    code = number(store, "PRAGMA application_id", &application);
    if (code == 0)
        code = number(store, "PRAGMA user_version", &format);
    if (code == 0)
        code = number(store, "SELECT count(*) FROM sqlite_master", &tables);
    if (code != 0)
        return result(code);
    if (tables > 0 && application != APPLICATION)
        return CSERVE_STORE_OTHER;
    if (tables > 0 && format > FORMAT)
        return CSERVE_STORE_NEWER;
    if (tables > 0) {
        is_sound = 0;
        code = sqlite.exec(store->database, "PRAGMA quick_check(1)", is_ok, &is_sound, NULL);
        if (code != 0 || !is_sound)
            return code != 0 ? result(code) : CSERVE_STORE_DAMAGED;
    }
    snprintf(text, sizeof text,
        "CREATE TABLE note(name TEXT PRIMARY KEY, text TEXT NOT NULL);"
        "CREATE TABLE member(number INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, json TEXT,"
        " version INTEGER NOT NULL);"
        "PRAGMA application_id=%d; PRAGMA user_version=%d;",
        APPLICATION, FORMAT);
    /* The transaction locks the file, which stays locked until it is closed. */
    code = sqlite.exec(store->database,
        "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; BEGIN IMMEDIATE;", NULL, NULL, NULL);
    if (code == 0 && tables == 0)
        code = sqlite.exec(store->database, text, NULL, NULL, NULL);
    return result(code != 0 ? code : sqlite.exec(store->database, "COMMIT", NULL, NULL, NULL));
}

int32_t cserve_store_open(const char *path, struct cserve_store **out, char *reason, size_t capacity)
{
    struct cserve_store *store;
    int32_t status;
    int i;
    *out = NULL;
    if (!load(reason, capacity))
        return CSERVE_STORE_ABSENT;
    store = calloc(1, sizeof *store);
    snprintf(reason, capacity, "out of memory");
    if (!store)
        return CSERVE_STORE_FAILED;
    status = result(sqlite.open(path, &store->database, OPEN_READWRITE | OPEN_CREATE | OPEN_FULLMUTEX, NULL));
    if (status == CSERVE_STORE_OK) {
        sqlite.busy_timeout(store->database, 500); /* a server that is ending may still have locked the file */
        status = check(store);
    }
    for (i = 0; status == CSERVE_STORE_OK && i < STATEMENTS; i++)
        status = result(sqlite.prepare(store->database, texts[i], -1, &store->statements[i], NULL));
    if (status != CSERVE_STORE_OK) {
        if (store->database)
            snprintf(reason, capacity, "%s", sqlite.errmsg(store->database));
        cserve_store_close(store);
        return status;
    }
    *out = store;
    return status;
}

void cserve_store_close(struct cserve_store *store)
{
    int i;
    if (!store)
        return;
    for (i = 0; i < STATEMENTS; i++)
        if (store->statements[i])
            sqlite.finalize(store->statements[i]);
    if (store->database)
        sqlite.close(store->database);
    free(store->note);
    free(store);
}

const char *cserve_store_reason(struct cserve_store *store) { return sqlite.errmsg(store->database); }

/* --- Reading and writing --- */

/* Binds a string, which must be valid until the statement was run. */
static void bind(struct statement *statement, int place, const void *text, size_t count)
{
    if (text)
        sqlite.bind_text(statement, place, text, (int)count, NULL);
    else
        sqlite.bind_null(statement, place);
}

/* Runs a statement with bound values.  Values are smaller than 2 GiB, because requests are. */
static int32_t run(struct cserve_store *store, int which)
{
    const int code = sqlite.step(store->statements[which]);
    sqlite.reset(store->statements[which]);
    return result(code);
}

const char *cserve_store_note(struct cserve_store *store, const char *name)
{
    struct statement *const statement = store->statements[NOTE];
    free(store->note);
    store->note = NULL;
    bind(statement, 1, name, strlen(name));
    if (sqlite.step(statement) == ROW) {
        const unsigned char *const text = sqlite.column_text(statement, 0);
        store->note = text ? strdup((const char *)text) : NULL;
    }
    sqlite.reset(statement);
    return store->note;
}

int32_t cserve_store_set_note(struct cserve_store *store, const char *name, const char *text)
{
    bind(store->statements[SET_NOTE], 1, name, strlen(name));
    bind(store->statements[SET_NOTE], 2, text, strlen(text));
    return run(store, SET_NOTE);
}

static struct cserve_bytes column(struct statement *statement, int index)
{
    const uint8_t *const text = sqlite.column_text(statement, index);
    const struct cserve_bytes bytes = { text, text ? (size_t)sqlite.column_bytes(statement, index) : 0 };
    return bytes;
}

int32_t cserve_store_each(struct cserve_store *store, cserve_member_fn each, void *context)
{
    struct statement *statement = NULL;
    int code = sqlite.prepare(store->database, "SELECT path, json, version FROM member ORDER BY number", -1, &statement, NULL);
    int32_t ended = CSERVE_STORE_OK;
    while (code == 0 || code == ROW) {
        code = sqlite.step(statement);
        if (code != ROW)
            break;
        ended = each(context, column(statement, 0), column(statement, 1), sqlite.column_int64(statement, 2));
        if (ended != CSERVE_STORE_OK)
            break;
    }
    if (statement)
        sqlite.finalize(statement);
    return ended != CSERVE_STORE_OK ? ended : result(code);
}

int32_t cserve_store_begin(struct cserve_store *store)
{
    const int32_t status = run(store, BEGIN);
    store->is_in_transaction = status == CSERVE_STORE_OK;
    return status;
}

int32_t cserve_store_commit(struct cserve_store *store)
{
    const int32_t status = run(store, COMMIT);
    store->is_in_transaction = status != CSERVE_STORE_OK;
    return status;
}

void cserve_store_roll_back(struct cserve_store *store)
{
    if (store->is_in_transaction)
        run(store, ROLL_BACK); /* fails if SQLite has already rolled back, which has no effect */
    store->is_in_transaction = 0;
}

int32_t cserve_store_put(struct cserve_store *store, struct cserve_bytes path, struct cserve_bytes json, int64_t version)
{
    struct statement *const statement = store->statements[PUT];
    bind(statement, 1, path.bytes, path.count);
    bind(statement, 2, json.count ? json.bytes : NULL, json.count);
    sqlite.bind_int64(statement, 3, version);
    return run(store, PUT);
}

int32_t cserve_store_remove(struct cserve_store *store, struct cserve_bytes path)
{
    int32_t status;
    bind(store->statements[REMOVE], 1, path.bytes, path.count);
    status = run(store, REMOVE);
    if (status != CSERVE_STORE_OK)
        return status;
    bind(store->statements[REMOVE_BELOW], 1, path.bytes, path.count);
    return run(store, REMOVE_BELOW);
}
