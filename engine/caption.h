/* What people read of what happens at a table: rows of a game, each for an event. The terminal
 * (cli/captions.c) and the page (web/src/table/captions.ts) say the same by them. They stand in the
 * game's `captions.def`, which the page's build reads as well. A row says no more than the data of
 * events that its reader hears, so it can tell no secret.
 *
 *     CAPTION(event, by, when, you, others, values)
 *     TOLD(event, when, text, values)
 *     REMEMBER(event, name, member)
 *
 * A caption is what a seat does: the number of the seat is at the path `by`, `you` is the sentence
 * for who sits there, and `others` the one for everybody else, which begins with the {name}. An
 * empty sentence says nothing. What stands in brackets is left out where there is little room, as
 * at a seat on the page, and so is the name there. What is told is nobody's doing. Of the rows of
 * an event with the same `by`, which stand together, the first one that fits counts.
 *
 * A path is a member of the event's data (`count`), a member of an object there (`card.id`), a
 * member of the first event of another type that the same move led to (`pile-taken.topCard`), or a
 * name that stands for the number which an earlier event had at the remembered member.
 *
 * `when` is a list of conditions with `&` between them; none always fits. `path` alone: it is there
 * and neither false, 0, null nor empty. `path=word`: it is that word or number. `path=@path`: both
 * are the same. `path~path`: it is a list that the second one is in; of several events of another
 * type one that has it is meant. `path>path`: the same, and there is more in it.
 *
 * `values` are words that fill the places of the sentences: `place` is the member of that name,
 * `place=path` the value there, `place='word` that very word. A kind may follow after a colon:
 *
 *     card           the id of a card
 *     cards          a list of ids
 *     without=card   a list of ids without the one at that member of the event, here `card`
 *     suit           the name of a suit
 *     counted        a number of cards, "2 cards"
 *     points         a number of points
 *     side           the letter of a team, by its name; the page says "Your team" to those who
 *                    play in it
 *     text           what the engine says in words
 *     text-of=list   a number: the `text` of the item with this `id` in the list at that member of
 *                    the event, here `list` */
#pragma once

/* `by` is null if nobody does it. A row that remembers has no sentences; `by` is the name then, and
 * `values` the path. The last row of a table is empty. */
struct caption {
    const char *event, *by, *when, *you, *others, *values;
};

#define CAPTION(event, by, when, you, others, values) {event, by, when, you, others, values},
#define TOLD(event, when, text, values)               {event, NULL, when, text, text, values},
#define REMEMBER(event, name, member)                 {event, name, "", NULL, NULL, member},
