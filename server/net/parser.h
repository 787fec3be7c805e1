/* The parser of HTTP, for http.c alone: llhttp where the system has it, otherwise http-parser, from
 * which it was made. Both call the same functions at the same places; what differs between them
 * stands here. What http-parser forgives and llhttp does not, http.c refuses by itself, so that it
 * makes no difference which of them was there at build time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef OYSTER_LLHTTP
#include <llhttp.h>

typedef llhttp_t request_parser;
typedef llhttp_settings_t request_parser_settings;

/* Any version is read, so that the answer can say which one is spoken. */
static inline void parser_begin(request_parser *self, const request_parser_settings *settings,
                                void *data) {
    llhttp_init(self, HTTP_REQUEST, settings);
    llhttp_set_lenient_version(self, 1);
    self->data = data;
}

/* False if this is not HTTP. Stops behind a request if on_message_complete returns
 * parser_pause(). */
static inline bool parser_run(request_parser *self, const request_parser_settings *settings,
                              const char *data, size_t size, size_t *used) {
    enum llhttp_errno code = llhttp_execute(self, data, size);
    *used = code == HPE_OK ? size : (size_t)(llhttp_get_error_pos(self) - data);
    if (code == HPE_PAUSED)
        llhttp_resume(self);
    return code == HPE_OK || code == HPE_PAUSED;
}

static inline int parser_pause(request_parser *self) {
    return HPE_PAUSED;
}

static inline bool parser_keeps_alive(const request_parser *self) {
    return llhttp_should_keep_alive(self) != 0;
}

static inline const char *parser_method(const request_parser *self) {
    return llhttp_method_name((llhttp_method_t)self->method);
}

#else
#include <http_parser.h>

typedef http_parser request_parser;
typedef http_parser_settings request_parser_settings;

static inline void parser_begin(request_parser *self, const request_parser_settings *settings,
                                void *data) {
    http_parser_init(self, HTTP_REQUEST);
    self->data = data;
}

static inline bool parser_run(request_parser *self, const request_parser_settings *settings,
                              const char *data, size_t size, size_t *used) {
    *used = http_parser_execute(self, settings, data, size);
    enum http_errno code = HTTP_PARSER_ERRNO(self);
    if (code == HPE_PAUSED)
        http_parser_pause(self, 0);
    return code == HPE_OK || code == HPE_PAUSED;
}

static inline int parser_pause(request_parser *self) {
    http_parser_pause(self, 1);
    return 0;
}

static inline bool parser_keeps_alive(const request_parser *self) {
    return http_should_keep_alive(self) != 0;
}

static inline const char *parser_method(const request_parser *self) {
    return http_method_str((enum http_method)self->method);
}

#endif
