/* The texts of Terrible People. They stand in prompts.def and answers.def, one a line, numbered
 * from 1 in that order. Logs name cards by number: add new ones at the end, never in between. */
#include "games/terrible_people/terrible_people.h"

#include "engine/ensure.h"
#include <string.h>

#define TAG(name) (1 << TERRIBLE_##name)

#define PROMPT(words, subjects) {.text = words, .tags = subjects},
const struct terrible_card terrible_prompts[] = {
#include "games/terrible_people/prompts.def"
};

#define ANSWER(words, subjects, sharpness) {.text = words, .tags = subjects, .punch = sharpness},
const struct terrible_card terrible_answers[] = {
#include "games/terrible_people/answers.def"
};

const int terrible_prompt_count = sizeof terrible_prompts / sizeof terrible_prompts[0];
const int terrible_answer_count = sizeof terrible_answers / sizeof terrible_answers[0];

_Static_assert(sizeof terrible_prompts / sizeof terrible_prompts[0] <= TERRIBLE_PROMPTS_MAX,
               "prompts have a bit each");
_Static_assert(sizeof terrible_answers / sizeof terrible_answers[0] <= TERRIBLE_ANSWERS_MAX,
               "answers have a bit each");

const struct terrible_card *terrible_prompt(int number) {
    ensure(number >= 1 && number <= terrible_prompt_count);
    return &terrible_prompts[number - 1];
}

const struct terrible_card *terrible_answer(int number) {
    ensure(number >= 1 && number <= terrible_answer_count);
    return &terrible_answers[number - 1];
}

static bool at_blank(const char *text) {
    return text[0] == '_' && text[1] == '_' && text[2] == '_';
}

int terrible_blanks(int prompt) {
    int blanks = 0;
    for (const char *at = terrible_prompt(prompt)->text; *at; at++) {
        if (at_blank(at)) {
            blanks++;
            at += 2;
        }
    }
    return blanks;
}

void terrible_capitals(int prompt, bool capitals[TERRIBLE_BLANKS_MAX]) {
    int blank = 0;
    bool sentence_start = true;
    for (const char *at = terrible_prompt(prompt)->text; *at; at++) {
        if (at_blank(at)) {
            capitals[blank++] = sentence_start;
            sentence_start = false;
            at += 2;
        } else {
            bool ends = *at == '.' || *at == '!' || *at == '?';
            sentence_start = ends || (sentence_start && (*at == ' ' || *at == '"'));
        }
    }
}

void terrible_fill(int prompt, const uint16_t cards[TERRIBLE_BLANKS_MAX], struct text *text) {
    int blank = 0;
    bool capitals[TERRIBLE_BLANKS_MAX];
    terrible_capitals(prompt, capitals);
    for (const char *at = terrible_prompt(prompt)->text; *at; at++) {
        if (!at_blank(at)) {
            text_char(text, *at);
            continue;
        }
        at += 2;
        const char *words = terrible_answer(cards[blank])->text;
        bool small = words[0] >= 'a' && words[0] <= 'z';
        text_char(text, capitals[blank++] && small ? (char)(words[0] - 'a' + 'A') : words[0]);
        text_string(text, words + 1);
    }
}
