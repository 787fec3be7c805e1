/* See device_names.h. Browsers name those that they are like as well, so the first word found
 * counts, from the special to the general. */
#include "server/api/device_names.h"

#include <stdio.h>
#include <string.h>

struct word {
    const char *found, *name;
};

static const struct word browsers[] = {
    {"Edg", "Edge"},         {"OPR/", "Opera"},     {"SamsungBrowser/", "Samsung Internet"},
    {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"},
    {"Chrome/", "Chrome"},   {"Safari/", "Safari"}, {NULL, NULL}};

static const struct word systems[] = {
    {"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"},   {"Windows", "Windows"},
    {"CrOS", "ChromeOS"},   {"Macintosh", "Mac"}, {"Linux", "Linux"}, {NULL, NULL}};

static bool has(struct span text, const char *word) {
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= text.length; at++)
        if (memcmp(text.data + at, word, length) == 0)
            return true;
    return false;
}

static const char *find(struct span text, const struct word *words) {
    for (; words->found; words++)
        if (has(text, words->found))
            return words->name;
    return NULL;
}

void device_name(struct span user_agent, char out[DEVICE_NAME_SIZE]) {
    const char *browser = user_agent.data ? find(user_agent, browsers) : NULL;
    const char *system = user_agent.data ? find(user_agent, systems) : NULL;
    if (!browser)
        snprintf(out, DEVICE_NAME_SIZE, "A program");
    else if (!system)
        snprintf(out, DEVICE_NAME_SIZE, "%s", browser);
    else
        snprintf(out, DEVICE_NAME_SIZE, "%s on %s", browser, system);
}
