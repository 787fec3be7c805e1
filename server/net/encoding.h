/* The encodings around JSON: paths, forms, queries and cookies. Input from outside may be anything;
 * nothing allocates. */
#pragma once

#include "engine/text.h"

/* What stands before the first `?` of a request's target. */
struct span encoding_path(struct span target);

/* Does the path fit the pattern, in which a `*` stands for one part that is not empty? These parts
 * are given back; a pattern has at most ENCODING_PARTS_MAX of them. A slash at the end of the path
 * does not matter. */
enum { ENCODING_PARTS_MAX = 4 };
bool encoding_path_fits(const char *pattern, struct span path,
                        struct span parts[ENCODING_PARTS_MAX]);

/* Appends the decoded text. False if an escape is broken, a byte is zero or there is no room; what
 * was appended then means nothing. A form's `+` is a blank, a path's is not. */
bool encoding_decode_path(struct span in, struct text *out);
bool encoding_decode_form(struct span in, struct text *out);

/* Appends the value of the first field of that name in `a=b&c=d`, a form's body or a query. False
 * if there is none or it cannot be decoded. */
bool encoding_field(struct span form, const char *name, struct text *out);

/* Finds the first cookie of that name in a Cookie header; quotes around the value are taken off. */
bool encoding_cookie(struct span header, const char *name, struct span *value);

/* More than `max` arrays and objects within each other? */
bool encoding_is_too_deep(struct span json, int64_t max);
