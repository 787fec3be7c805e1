/* See places.h. */
#include "engine/places.h"

#include "engine/card.h"
#include "engine/ensure.h"

uint64_t place_cards(const struct places *places, int place) {
    if (place != PLACE_DECK)
        return places->at[place];
    uint64_t deck = card_bit(PACK) - 1;
    for (int other = 0; other < PLACES_MAX; other++)
        deck &= ~places->at[other];
    return deck;
}

int place_count(const struct places *places, int place) {
    int count = __builtin_popcountll(place_cards(places, place));
    if (place != PLACE_DECK)
        return count + places->unseen[place];
    for (int other = 0; other < PLACES_MAX; other++)
        count -= places->unseen[other];
    return count;
}

void place_move(struct places *places, int card, int from, int to) {
    ensure((place_cards(places, from) & card_bit(card)) != 0);
    if (from != PLACE_DECK)
        places->at[from] ^= card_bit(card);
    if (to != PLACE_DECK)
        places->at[to] |= card_bit(card);
}

void place_move_all(struct places *places, int from, int to) {
    uint64_t cards = places->at[from];
    places->at[from] = 0;
    if (to != PLACE_DECK)
        places->at[to] |= cards;
}

void place_draw(struct places *places, int count, int to, int pile) {
    if (place_count(places, PLACE_DECK) < count && pile != PLACE_DECK)
        place_move_all(places, pile, PLACE_DECK);
    int left = place_count(places, PLACE_DECK);
    places->draw_count = (uint8_t)(count < left ? count : left);
    places->draw_to = (uint8_t)to;
}

int places_sum(const struct places *places, uint32_t mask, int (*worth)(int card)) {
    int sum = 0;
    for (int place = 0; place < PLACES_MAX; place++)
        for (uint64_t left = (mask >> place & 1) != 0 ? places->at[place] : 0; left != 0;
             left &= left - 1)
            sum += worth(__builtin_ctzll(left));
    return sum;
}

uint32_t places_seen(const struct places *places, int seat, bool round_has_ended) {
    uint32_t usual = round_has_ended ? ALL_PLACES : ALL_PLACES & ~ALL_HANDS;
    return (usual & ~(uint32_t)places->face_down) | places->face_up | (seat >= 0 ? 1u << seat : 0);
}

void places_observe(const struct places *places, uint32_t seen, struct places *out) {
    out->draw_count = places->draw_count;
    out->draw_to = places->draw_to;
    out->face_up = places->face_up;
    out->face_down = places->face_down;
    for (int place = 0; place < PLACES_MAX; place++) {
        if ((seen >> place & 1) != 0)
            out->at[place] = places->at[place];
        else
            out->unseen[place] = (uint8_t)place_count(places, place);
    }
}

void places_sample(struct places *places, struct chance *chance) {
    uint16_t cards[PACK];
    size_t count = 0;
    for (uint64_t left = place_cards(places, PLACE_DECK); left != 0; left &= left - 1)
        cards[count++] = (uint16_t)__builtin_ctzll(left);
    chance_shuffle(chance, cards, count);
    for (int place = 0; place < PLACES_MAX; place++)
        for (; places->unseen[place] > 0; places->unseen[place]--)
            places->at[place] |= card_bit(cards[--count]);
}

bool places_hold(const struct places *places) {
    uint64_t sum = place_cards(places, PLACE_DECK);
    int unseen = 0;
    for (int place = 0; place < PLACES_MAX; place++) {
        sum += places->at[place];
        unseen += places->unseen[place];
    }
    return sum == card_bit(PACK) - 1 && unseen == 0 && places->draw_to < PLACES_MAX &&
           places->draw_count <= place_count(places, PLACE_DECK);
}

void json_put_hands(struct json *json, const struct places *places, int seats,
                    const int32_t *points) {
    json_put_array(json, "players");
    for (int seat = 0; seat < seats; seat++) {
        json_put_object(json, NULL);
        json_put_number(json, "seatIndex", seat);
        if (points)
            json_put_number(json, "points", points[seat]);
        json_put_number(json, "cards", place_count(places, seat));
        if (places->unseen[seat] == 0)
            json_put_cards(json, "hand", places->at[seat]);
        else
            json_put_null(json, "hand");
        json_put_end(json);
    }
    json_put_end(json);
}
