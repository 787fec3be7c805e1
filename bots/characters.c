/* The bots' names and faces: one row per animal, in the order of the levels. Every name ends with
 * "bot", so that nobody takes it for a person's, also where no face stands beside it. */
#include "bots/bot.h"

#include "engine/ensure.h"

static const struct {
    const char *face;
    const char *name[BOT_LEVELS];
} animals[BOT_CHARACTERS] = {
    {"crab", {"Hermitbot", "Crabbot", "Pincerbot", "Crusherbot"}},
    {"jellyfish", {"Bubblebot", "Jellybot", "Stingbot", "Medusabot"}},
    {"turtle", {"Paddlebot", "Turtlebot", "Snapperbot", "Tortugabot"}},
    {"octopus", {"Inkybot", "Squidbot", "Octobot", "Krakenbot"}},
    {"fish", {"Guppybot", "Pufferbot", "Piranhabot", "Sharkbot"}},
    {"oyster", {"Clambot", "Cocklebot", "Oysterbot", "Pearlbot"}},
    {"shrimp", {"Krillbot", "Shrimpbot", "Lobsterbot", "Mantisbot"}},
    {"whale", {"Splashbot", "Belugabot", "Orcabot", "Mobybot"}},
};

struct bot_character bot_character(enum bot_level level, int number) {
    ensure(level < BOT_LEVELS && number >= 0 && number < BOT_CHARACTERS);
    return (struct bot_character){animals[number].name[level], animals[number].face};
}
