/* Saved games of Hand & Foot (formats/save.h) as records, and records as saved games.
 *
 * A record has no place for a game's seed and for the number of deals before its first line. They
 * stand in a comment, `# seed HEX deals N`, so that a save comes back as it was. */
#pragma once

#include "engine/text.h"

/* Is this text meant as a save? */
bool saves_recognise(struct span file);

/* A record of the saved game, which begins in its position, for the caller to free. A save that is
 * refused is a complaint and null. */
char *saves_to_record(const char *path, struct span file);

/* Prints the save of a record's last position. The seed and the time may be null: then the seed is
 * that of the comment or of the first deal, and it is now. Returns the exit code. */
int saves_print(const char *path, struct span record, const char *seed, const char *time);
