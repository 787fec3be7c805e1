/* Is this the build with sanitizers? It looks for mistakes of another kind than the plain one does,
 * and is five times as slow: what proves something by its volume takes less of it there. */
#pragma once

#ifndef __has_feature /* clang's way to tell; gcc has another one */
#define __has_feature(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
