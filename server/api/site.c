/* Static files. Names with a hash in them (under assets/) never change and are kept for a year; all
 * else is asked for again and answered 304 if it is the same. Text is kept compressed as well. */
#define _DEFAULT_SOURCE
#include "server/api/site.h"

#include "engine/ensure.h"
#include "store/hash.h"
#include <dirent.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { PATH_SIZE = 512, FILE_SIZE_MAX = 32 << 20, DEPTH_MAX = 8, TAG_SIZE = 24 };

struct page {
    char path[PATH_SIZE]; /* from the first slash on */
    const char *type;
    char tag[TAG_SIZE], packed_tag[TAG_SIZE]; /* other bytes, another tag */
    bool lasting;
    char *data, *packed; /* packed may be null */
    size_t size, packed_size;
    UT_hash_handle hh;
};

struct site {
    struct page *pages;
    const char *public_url;
};

static const char policy[] =
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n"
    "X-Frame-Options: DENY\r\nCross-Origin-Opener-Policy: same-origin\r\n";

static const char plain_page[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Oyster</title>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 "
    "1.5rem;background:#14121f;color:#e8e6f0}a{color:#9db8ff}code{background:#262238;padding:.1em "
    ".4em;border-radius:.3em}h1{font-size:2.2rem}</style></head>\n"
    "<body><h1>Oyster</h1>\n<p>A card table is open here, for people and bots.</p>\n"
    "<p>This server speaks HTTP and the Pusher Channels protocol. <code>docs/PROTOCOL.md</code> in "
    "the source describes both, with a small client.</p>\n"
    "<p>What there is: <a href=\"/api/games\">games</a>, <a href=\"/api/config\">config</a>, "
    "<a href=\"/healthz\">health</a>.</p></body></html>\n";

/* ---- Reading ---- */

static const char *type_of(const char *path) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".json", "application/json"},
                                           {".webmanifest", "application/manifest+json"},
                                           {".wasm", "application/wasm"},
                                           {".png", "image/png"},
                                           {".ico", "image/x-icon"},
                                           {".woff2", "font/woff2"},
                                           {".txt", "text/plain; charset=utf-8"}};
    const char *point = strrchr(path, '.');
    for (size_t i = 0; point && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(point, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

static bool is_worth_packing(const struct page *page) {
    return page->size > 512 && strncmp(page->type, "image/png", 9) != 0 &&
           strncmp(page->type, "font/", 5) != 0;
}

static void pack(struct page *page) {
    z_stream stream = {0};
    size_t room = compressBound(page->size) + 64;
    page->packed = reserve_malloc(room);
    ensure(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)page->data;
    stream.avail_in = (uInt)page->size;
    stream.next_out = (Bytef *)page->packed;
    stream.avail_out = (uInt)room;
    ensure(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    page->packed_size = stream.total_out;
    deflateEnd(&stream);
}

/* Takes over the data. */
static void add_page(struct site *site, const char *path, char *data, size_t size) {
    uint8_t hash[crypto_generichash_BYTES_MIN];
    struct page *page = reserve_calloc(1, sizeof *page);
    ensure(strlen(path) < sizeof page->path);
    memcpy(page->path, path, strlen(path));
    page->type = type_of(path);
    page->lasting = strncmp(path, "/assets/", 8) == 0;
    page->data = data;
    page->size = size;
    crypto_generichash(hash, sizeof hash, (const uint8_t *)data, size, NULL, 0);
    char hex[17];
    sodium_bin2hex(hex, sizeof hex, hash, 8);
    snprintf(page->tag, sizeof page->tag, "\"%s\"", hex);
    snprintf(page->packed_tag, sizeof page->packed_tag, "\"%s-gz\"", hex);
    if (is_worth_packing(page))
        pack(page);
    HASH_ADD_STR(site->pages, path, page);
}

static char *read_whole(const char *name, size_t size) {
    FILE *file = fopen(name, "rb");
    char *data = reserve_malloc(size + 1);
    bool good = file && fread(data, 1, size, file) == size;
    if (file)
        fclose(file);
    if (good)
        return data;
    free(data);
    return NULL;
}

/* Other sites show a picture of ours only if its whole address is given. */
static char *with_address(char *data, size_t *size, const char *public_url) {
    static const char picture[] = "content=\"/";
    data[*size] = '\0';
    char *found = strstr(data, picture);
    if (!found || !*public_url)
        return data;
    size_t before = (size_t)(found - data) + sizeof picture - 2, added = strlen(public_url);
    char *more = reserve_malloc(*size + added + 1);
    memcpy(more, data, before);
    memcpy(more + before, public_url, added);
    memcpy(more + before + added, data + before, *size - before);
    *size += added;
    free(data);
    return more;
}

static bool read_folder(struct site *site, const char *folder, const char *path, int depth,
                        struct refusal *why);

static bool read_item(struct site *site, const char *folder, const char *path, int depth,
                      struct refusal *why) {
    char name[2 * PATH_SIZE];
    struct stat about;
    snprintf(name, sizeof name, "%s%s", folder, path);
    if (stat(name, &about) != 0)
        return refuse(why, "BAD_SITE", "Cannot read %s", name);
    if (S_ISDIR(about.st_mode))
        return read_folder(site, folder, path, depth + 1, why);
    if (!S_ISREG(about.st_mode) || about.st_size > FILE_SIZE_MAX)
        return refuse(why, "BAD_SITE", "%s is no file, or too large", name);
    char *data = read_whole(name, (size_t)about.st_size);
    if (!data)
        return refuse(why, "BAD_SITE", "Cannot read %s", name);
    size_t size = (size_t)about.st_size;
    if (strcmp(path, "/index.html") == 0)
        data = with_address(data, &size, site->public_url);
    add_page(site, path, data, size);
    return true;
}

static bool read_folder(struct site *site, const char *folder, const char *path, int depth,
                        struct refusal *why) {
    char name[2 * PATH_SIZE], inner[PATH_SIZE];
    snprintf(name, sizeof name, "%s%s", folder, path);
    DIR *list = depth < DEPTH_MAX ? opendir(name) : NULL;
    if (!list)
        return refuse(why, "BAD_SITE", "Cannot read the folder %s", name);
    bool good = true;
    for (struct dirent *item; good && (item = readdir(list));) {
        if (item->d_name[0] == '.')
            continue;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, item->d_name);
        good = (length > 0 && (size_t)length < sizeof inner) ||
               refuse(why, "BAD_SITE", "A path in %s is too long", name);
        good = good && read_item(site, folder, inner, depth, why);
    }
    closedir(list);
    return good;
}

struct site *site_open(const char *folder, const char *public_url, struct refusal *why) {
    struct site *site = reserve_calloc(1, sizeof *site);
    site->public_url = public_url;
    if (*folder && !read_folder(site, folder, "", 0, why)) {
        site_free(site);
        return NULL;
    }
    struct page *index;
    HASH_FIND_STR(site->pages, "/index.html", index);
    if (!index) {
        char *copy = reserve_malloc(sizeof plain_page);
        memcpy(copy, plain_page, sizeof plain_page);
        add_page(site, "/index.html", copy, sizeof plain_page - 1);
    }
    return site;
}

void site_free(struct site *site) {
    struct page *page, *next;
    HASH_ITER(hh, site->pages, page, next) {
        HASH_DEL(site->pages, page);
        free(page->data);
        free(page->packed);
        free(page);
    }
    free(site);
}

/* ---- Answering ---- */

/* A path without a dot in its last part is a view of the client, which index.html draws. */
static const struct page *find_page(const struct site *site, struct span path) {
    struct page *page;
    HASH_FIND(hh, site->pages, path.data, (unsigned)path.length, page);
    bool has_point = memchr(path.data, '.', path.length) != NULL;
    bool is_api = span_is(path, "/api") || (path.length > 4 && memcmp(path.data, "/api/", 5) == 0);
    if (!page && !has_point && !is_api)
        HASH_FIND_STR(site->pages, "/index.html", page);
    return page;
}

/* Finds the word in the header; returns what follows it, or null. */
static const char *mentions(struct span header, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; header.data && i + length <= header.length; i++)
        if (memcmp(header.data + i, word, length) == 0)
            return header.data + i + length;
    return NULL;
}

/* `gzip`, but not `gzip;q=0`. */
static bool takes_packed(struct span header) {
    const char *at = mentions(header, "gzip");
    bool refused = false;
    if (!at)
        return false;
    for (const char *end = header.data + header.length; at < end && *at != ','; at++) {
        if (*at == '=')
            refused = true;
        else if (*at >= '1' && *at <= '9')
            refused = false;
    }
    return !refused;
}

static void put_escaped(struct text *out, const char *plain) {
    static const char *const entities[256] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    for (; *plain; plain++) {
        const char *entity = entities[(unsigned char)*plain];
        text_span(out, entity ? span_of(entity) : (struct span){plain, 1});
    }
}

/* Copies the page up to the value of this property, and writes another one instead. Returns what is
 * left of the page, all of it if there is no such property. */
static struct span put_property(struct text *out, struct span page, const char *property,
                                const char *value) {
    const char *begin = mentions(page, property);
    const char *end = begin ? memchr(begin, '"', (size_t)(page.data + page.length - begin)) : NULL;
    if (!end)
        return page;
    text_span(out, (struct span){page.data, (size_t)(begin - page.data)});
    put_escaped(out, value);
    return (struct span){end, (size_t)(page.data + page.length - end)};
}

/* Only for this world and this moment, so nothing of it is kept. */
static void answer_preview(struct peer *peer, const struct page *page,
                           const struct site_preview *preview) {
    char headers[1024];
    size_t room = page->size + 6 * sizeof *preview;
    char *buffer = reserve_malloc(room);
    struct text text = text_in(buffer, room);
    struct span rest = {page->data, page->size};
    rest = put_property(&text, rest, "property=\"og:title\" content=\"", preview->title);
    rest = put_property(&text, rest, "property=\"og:description\" content=\"", preview->text);
    text_span(&text, rest);
    ensure(!text.cut);
    snprintf(headers, sizeof headers, "%sCache-Control: no-cache\r\n", policy);
    http_answer(peer, &(struct http_answer){.status = 200,
                                            .type = page->type,
                                            .headers = headers,
                                            .cacheable = true,
                                            .body = {text.data, text.length}});
    free(buffer);
}

void site_answer(const struct site *site, struct peer *peer, const struct http_request *request,
                 const struct site_preview *preview) {
    const struct page *page = find_page(site, request->path);
    char headers[1024];
    if (page && preview && strcmp(page->path, "/index.html") == 0) {
        answer_preview(peer, page, preview);
        return;
    }
    if (!page) {
        struct refusal why;
        refuse(&why, "NOT_FOUND", "There is nothing here");
        http_answer_refusal(peer, &why, 0);
        return;
    }
    bool packed = page->packed && takes_packed(request->header[HTTP_ACCEPT_ENCODING]);
    const char *tag = packed ? page->packed_tag : page->tag;
    snprintf(headers, sizeof headers, "%sETag: %s\r\nCache-Control: %s\r\n%s%s", policy, tag,
             page->lasting ? "public, max-age=31536000, immutable" : "no-cache",
             page->packed ? "Vary: Accept-Encoding\r\n" : "",
             packed ? "Content-Encoding: gzip\r\n" : "");
    int status = mentions(request->header[HTTP_IF_NONE_MATCH], tag) ? 304 : 200;
    http_answer(peer, &(struct http_answer){.status = status,
                                            .type = page->type,
                                            .headers = headers,
                                            .cacheable = true,
                                            .body = {packed ? page->packed : page->data,
                                                     packed ? page->packed_size : page->size}});
}
