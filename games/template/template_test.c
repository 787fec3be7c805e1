/* High Card, to be copied with the game: what its rules say, and what its views hide. The laws are
 * tested for every game by themselves. */
#include "tests/support.h"

static const struct story stories[] = {
    {"the highest card that is shown wins", "", 3,
     "deal 9S / KH / AD\n"
     "0 is asked Your turn: show your card, or fold\n"
     "0 show\n"
     "1 show\n"
     "2 fold\n"
     "- sees \"result\":{\"winners\":[1],\"scores\":[9,13,0],\"places\":[2,1,3]}\n"
     "0 may again\n"
     "2 again\n"
     "deal"},
    {"everybody decides in turn", "folding=no", 2,
     "0 show ! WRONG_PHASE\n"
     "deal\n"
     "1 show ! NOT_YOUR_TURN\n"
     "0 fold ! NO_FOLDING Cards must be shown at this table\n"
     "0 may show\n"
     "0 is asked Your turn: show your card\n"
     "1 may "},
    {"the rules of a table stay for another game", "folding=no", 2,
     "repeat 2 deal; 0 show; 1 show; 0 again\n"
     "deal\n"
     "0 fold ! NO_FOLDING"},
    {"a card is hidden until it is shown", "", 2,
     "deal 9S / KH\n"
     "0 sees 9S\n"
     "1 sees not 9S\n"
     "- sees not 9S\n"
     "0 show\n"
     "told card-shown {\"seatIndex\":0}\n"
     "1 sees 9S\n"
     "0 sees not KH\n"
     "1 fold\n"
     "0 sees not KH"},
};

STORIES_OF(template)
