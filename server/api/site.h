/* The web client's files, read once into memory; without them a page that says what runs here. */
#pragma once

#include "server/net/http.h"

struct site;

/* `folder` may be empty, and so may the URL where people reach the site. Null with a reason if the
 * folder cannot be read. */
struct site *site_open(const char *folder, const char *public_url, struct refusal *why);
void site_free(struct site *site);

/* What other sites show of a link. */
struct site_preview {
    char title[256], text[256]; /* plain text */
};

/* Answers a GET or HEAD, with 404 if there is nothing. Where index.html is sent, it has the
 * preview, if one is given, instead of its own. */
void site_answer(const struct site *site, struct peer *peer, const struct http_request *request,
                 const struct site_preview *preview);
