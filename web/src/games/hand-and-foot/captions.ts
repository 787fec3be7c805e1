import { cardSigns } from "../../ui/cards";
import type { Caption } from "../kind";
import type { HandAndFootEvent } from "./view";
import { said, t } from "../../languages";

// What others did, in a few words. A pile is taken together with the cards that were laid for it.
export function captions(events: HandAndFootEvent[]): Caption[] {
  const taken = events.find((one) => one.event === "pile-taken");
  return events.flatMap(({ event, data }): Caption[] => {
    switch (event) {
      case "cards-drawn":
        return [{ seat: data.seatIndex, text: t("draws {count}", { count: data.count }), from: "deck" }];
      case "pile-taken":
        return [{ seat: data.seatIndex, text: takes(events, data), from: "pile" }];
      case "cards-melded":
        return taken
          ? []
          : [{ seat: data.seatIndex, text: t("lays {cards}", { cards: data.cards.map(cardSigns).join(" ") }) }];
      case "book-completed":
        return [{ seat: data.seatIndex, text: t("completes a book: {book}", { book: said(data.status) }) }];
      case "book-closed":
        return [{ seat: data.seatIndex, text: t("closes a book: {book}", { book: said(data.status) }) }];
      case "foot-picked-up":
        return [{ seat: data.seatIndex, text: t("picks up the foot") }];
      case "card-discarded":
        return [{ seat: data.seatIndex, text: discards(data) }];
      case "red-three-laid":
        return [{ seat: data.seatIndex, text: t("lays {cards}", { cards: cardSigns(data.card) }) }];
      default:
        return [];
    }
  });
}

// "takes 6 with 7♠ 7♥": the cards that the top one was laid with.
function takes(events: HandAndFootEvent[], taken: { count: number; topCard: string }): string {
  const laid = events.flatMap(({ event, data }) =>
    event === "cards-melded" && data.cards.includes(taken.topCard)
      ? data.cards.filter((card) => card !== taken.topCard)
      : [],
  );
  const { count } = taken;
  return laid.length > 0
    ? t("takes {count} with {cards}", { count, cards: laid.map(cardSigns).join(" ") })
    : t("takes {count}", { count });
}

const discards = ({ card, frozen }: { card: string; frozen?: boolean }): string =>
  frozen ? t("discards {card}, frozen", { card: cardSigns(card) }) : t("discards {card}", { card: cardSigns(card) });
