/* Option tables: reading, checking, printing; see option.h. */
#include "engine/option.h"

#include "engine/ensure.h"
#include <string.h>

static const struct option *find(const struct option_table *table, struct span key) {
    for (size_t i = 0; i < table->option_count; i++)
        if (span_is(key, table->options[i].key))
            return &table->options[i];
    return NULL;
}

static bool in_range(const struct option *option, int32_t number) {
    return number >= option->min && number <= option->max;
}

static bool read_choice(const char *const *choices, struct span value, int32_t *out) {
    for (int32_t i = 0; choices[i]; i++) {
        if (span_is(value, choices[i])) {
            *out = i;
            return true;
        }
    }
    return false;
}

static const char *const yes_no[] = {"no", "yes", NULL};

/* The words are pairs, so an odd index means yes. */
static bool read_yes_no(struct span value, int32_t *out) {
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", NULL};
    int32_t word;
    if (!read_choice(words, value, &word))
        return false;
    *out = word % 2;
    return true;
}

static bool read_list(const struct option *option, struct span value, int32_t *slots) {
    int32_t numbers[OPTION_LIST_MAX];
    int32_t count = 0;
    size_t start = 0;
    for (size_t at = 0; at <= value.length; at++) {
        if (at < value.length && value.data[at] != ',')
            continue;
        struct span item = {value.data + start, at - start};
        if (count == OPTION_LIST_MAX || !span_number(item, &numbers[count]) ||
            !in_range(option, numbers[count]))
            return false;
        count++;
        start = at + 1;
    }
    memset(slots, 0, sizeof(int32_t) * (1 + OPTION_LIST_MAX));
    slots[0] = count;
    memcpy(slots + 1, numbers, sizeof(int32_t) * (size_t)count);
    return true;
}

static bool read_value(const struct option *option, struct span value, int32_t *slots) {
    int32_t number;
    switch (option->kind) {
    case OPTION_YES_NO:
        return read_yes_no(value, slots);
    case OPTION_CHOICE:
        return read_choice(option->choices, value, slots);
    case OPTION_LIST:
        return read_list(option, value, slots);
    case OPTION_NUMBER:
        if (!span_number(value, &number) || !in_range(option, number))
            return false;
        *slots = number;
        return true;
    }
    return false;
}

static bool refuse_value(const struct option *option, struct refusal *why) {
    if (option->refusal)
        return refuse(why, "INVALID_SETTING", "%s", option->refusal);
    switch (option->kind) {
    case OPTION_YES_NO:
        return refuse(why, "INVALID_SETTING", "%s must be yes or no", option->key);
    case OPTION_NUMBER:
        return refuse(why, "INVALID_SETTING", "%s must be a number from %d to %d", option->key,
                      (int)option->min, (int)option->max);
    case OPTION_LIST:
        return refuse(why, "INVALID_SETTING",
                      "%s must be 1 to %d numbers from %d to %d with commas between them",
                      option->key, OPTION_LIST_MAX, (int)option->min, (int)option->max);
    case OPTION_CHOICE:
        break;
    }
    char list[128];
    struct text text = text_in(list, sizeof list);
    for (int i = 0; option->choices[i]; i++) {
        text_string(&text, i > 0 ? ", " : "");
        text_string(&text, option->choices[i]);
    }
    return refuse(why, "INVALID_SETTING", "%s must be one of: %s", option->key, list);
}

bool options_set(const struct option_table *table, struct span key, struct span value,
                 struct options *out, struct refusal *why) {
    const struct option *option = find(table, key);
    if (!option)
        return refuse_word(why, key, "INVALID_SETTING", "Unknown setting '%s'");
    if (read_value(option, value, out->slot + option->slot))
        return true;
    refuse_value(option, why);
    if (why)
        why->at = value.data;
    return false;
}

static void set_standard(const struct option_table *table, struct options *out) {
    memset(out, 0, sizeof *out);
    out->preset = -1;
    for (size_t i = 0; i < table->option_count; i++) {
        const struct option *option = &table->options[i];
        bool read = read_value(option, span_of(option->standard), out->slot + option->slot);
        ensure(read);
    }
}

static bool split_setting(struct span word, struct span *key, struct span *value) {
    *value = word;
    *key = span_take_until(value, '=');
    return key->length < word.length;
}

/* Is this key given in the line already, before that word? */
static bool given_before(struct scan line, struct span word, struct span key) {
    struct span other, other_key, value;
    while (scan_word(&line, &other) && other.data < word.data)
        if (split_setting(other, &other_key, &value) && span_equal(key, other_key))
            return true;
    return false;
}

static bool set_all(const struct option_table *table, struct scan scan, struct options *out,
                    struct refusal *why) {
    struct span word, key, value;
    struct scan line = scan;
    while (scan_word(&scan, &word)) {
        if (!split_setting(word, &key, &value))
            return refuse_word(why, word, "INVALID_SETTING", "Expected key=value, found '%s'");
        if (span_is(key, "preset") && table->preset_count > 0)
            return refuse_word(why, word, "INVALID_SETTING", "'%s' must come first, and once");
        if (given_before(line, word, key))
            return refuse_word(why, key, "INVALID_SETTING", "The setting '%s' is given twice");
        if (!options_set(table, key, value, out, why))
            return false;
    }
    return true;
}

static void use_preset(const struct option_table *table, size_t index, struct options *out) {
    set_standard(table, out);
    out->preset = (int32_t)index;
    bool read = set_all(table, scan_of(span_of(table->presets[index].settings)), out, NULL);
    ensure(read);
}

void options_default(const struct option_table *table, struct options *out) {
    if (table->preset_count > 0)
        use_preset(table, 0, out);
    else
        set_standard(table, out);
}

bool options_preset(const struct option_table *table, struct span id, struct options *out,
                    struct refusal *why) {
    for (size_t i = 0; i < table->preset_count; i++) {
        if (span_is(id, table->presets[i].id)) {
            use_preset(table, i, out);
            return true;
        }
    }
    return refuse_word(why, id, "INVALID_SETTING", "Unknown preset '%s'");
}

bool options_parse(const struct option_table *table, struct span line, struct options *out,
                   struct refusal *why) {
    struct options next = *out;
    struct scan scan = scan_of(line);
    struct span word, key, value;
    if (scan_peek(scan, &word) && split_setting(word, &key, &value) && span_is(key, "preset")) {
        scan_word(&scan, &word);
        if (!options_preset(table, value, &next, why))
            return false;
    }
    if (!set_all(table, scan, &next, why))
        return false;
    *out = next;
    return true;
}

void option_print_value(const struct option *option, const struct options *options,
                        struct text *text) {
    const int32_t *slot = options->slot + option->slot;
    switch (option->kind) {
    case OPTION_YES_NO:
        text_string(text, yes_no[*slot]);
        break;
    case OPTION_NUMBER:
        text_number(text, *slot);
        break;
    case OPTION_CHOICE:
        text_string(text, option->choices[*slot]);
        break;
    case OPTION_LIST:
        for (int32_t i = 0; i < slot[0]; i++) {
            text_string(text, i > 0 ? "," : "");
            text_number(text, slot[1 + i]);
        }
        break;
    }
}

static bool same_value(const struct option *option, const struct options *a,
                       const struct options *b) {
    size_t slots = option->kind == OPTION_LIST ? 1 + OPTION_LIST_MAX : 1;
    return memcmp(a->slot + option->slot, b->slot + option->slot, slots * sizeof(int32_t)) == 0;
}

void options_print(const struct option_table *table, const struct options *options,
                   struct text *text) {
    struct options base;
    options_default(table, &base);
    const char *gap = "";
    if (options->preset != base.preset) {
        use_preset(table, (size_t)options->preset, &base);
        text_string(text, "preset=");
        text_string(text, table->presets[options->preset].id);
        gap = " ";
    }
    for (size_t i = 0; i < table->option_count; i++) {
        const struct option *option = &table->options[i];
        if (same_value(option, options, &base))
            continue;
        text_string(text, gap);
        text_string(text, option->key);
        text_char(text, '=');
        option_print_value(option, options, text);
        gap = " ";
    }
}

static void value_json(const struct option *option, const struct options *options, const char *key,
                       struct json *json) {
    const int32_t *slot = options->slot + option->slot;
    switch (option->kind) {
    case OPTION_YES_NO:
        json_put_bool(json, key, *slot != 0);
        break;
    case OPTION_NUMBER:
        json_put_number(json, key, *slot);
        break;
    case OPTION_CHOICE: {
        int32_t number; /* a choice between numbers reads as a number */
        if (span_number(span_of(option->choices[*slot]), &number))
            json_put_number(json, key, number);
        else
            json_put_string(json, key, option->choices[*slot]);
        break;
    }
    case OPTION_LIST:
        json_put_array(json, key);
        for (int32_t i = 0; i < slot[0]; i++)
            json_put_number(json, NULL, slot[1 + i]);
        json_put_end(json);
        break;
    }
}

void options_json_members(const struct option_table *table, const struct options *options,
                          struct json *json) {
    if (options->preset >= 0)
        json_put_string(json, "preset", table->presets[options->preset].id);
    for (size_t i = 0; i < table->option_count; i++)
        value_json(&table->options[i], options, table->options[i].key, json);
}

void options_json(const struct option_table *table, const struct options *options, const char *key,
                  struct json *json) {
    json_put_object(json, key);
    options_json_members(table, options, json);
    json_put_end(json);
}

static void option_json(const struct option *option, const char *group,
                        const struct options *standard, struct json *json) {
    static const char *const kinds[] = {"boolean", "number", "choice", "list"};
    json_put_object(json, NULL);
    json_put_string(json, "key", option->key);
    if (group)
        json_put_string(json, "group", group);
    json_put_string(json, "label", option->label);
    json_put_string(json, "help", option->help);
    json_put_string(json, "type", kinds[option->kind]);
    if (option->kind == OPTION_NUMBER || option->kind == OPTION_LIST) {
        json_put_number(json, "min", option->min);
        json_put_number(json, "max", option->max);
    }
    if (option->kind == OPTION_CHOICE) {
        struct options choice = *standard;
        json_put_array(json, "values");
        for (int32_t i = 0; option->choices[i]; i++) {
            choice.slot[option->slot] = i;
            value_json(option, &choice, NULL, json);
        }
        json_put_end(json);
    }
    value_json(option, standard, "default", json);
    if (option->details)
        json_put_bool(json, "details", true);
    json_put_end(json);
}

void options_keep(const struct option_table *table, const struct options *options, void *state) {
    for (size_t i = 0; i < table->option_count; i++) {
        const struct option *option = &table->options[i];
        int32_t value = options->slot[option->slot], number;
        if (option->kind == OPTION_CHOICE && span_number(span_of(option->choices[value]), &number))
            value = number;
        for (size_t byte = 0; byte < option->member_size; byte++) /* the first byte is the lowest */
            ((uint8_t *)state)[option->member + byte] = (uint8_t)((uint32_t)value >> 8 * byte);
    }
}

void options_carry_over(const struct option_table *table, const void *from, void *to) {
    for (size_t i = 0; i < table->option_count; i++) {
        const struct option *option = &table->options[i];
        memcpy((uint8_t *)to + option->member, (const uint8_t *)from + option->member,
               option->member_size);
    }
}

bool options_want_details(const struct option_table *table, const struct options *options) {
    for (size_t i = 0; i < table->option_count; i++)
        if (table->options[i].details && options->slot[table->options[i].slot] != 0)
            return true;
    return false;
}

void option_table_json(const struct option_table *table, struct json *json) {
    struct options standard;
    options_default(table, &standard);
    json_put_array(json, "presets");
    for (size_t i = 0; i < table->preset_count; i++) {
        struct options values;
        use_preset(table, i, &values);
        json_put_object(json, NULL);
        json_put_string(json, "id", table->presets[i].id);
        json_put_string(json, "label", table->presets[i].label);
        json_put_string(json, "help", table->presets[i].help);
        options_json(table, &values, "settings", json);
        json_put_end(json);
    }
    json_put_end(json);
    json_put_array(json, "options");
    const char *group = NULL;
    for (size_t i = 0, next = 0; i < table->option_count; i++) {
        if (next < table->group_count &&
            strcmp(table->options[i].key, table->groups[next].first) == 0)
            group = table->groups[next++].label;
        option_json(&table->options[i], group, &standard, json);
    }
    json_put_end(json);
}
