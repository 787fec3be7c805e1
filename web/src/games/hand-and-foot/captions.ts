import { cardSigns } from "../../ui/cards";
import type { Caption } from "../kind";
import type { HandAndFootEvent } from "./view";

// What others did, in a few words. A pile is taken together with the cards that were laid for it.
export function captions(events: HandAndFootEvent[]): Caption[] {
  const taken = events.find((one) => one.event === "pile-taken");
  return events.flatMap(({ event, data }): Caption[] => {
    switch (event) {
      case "cards-drawn":
        return [{ seat: data.seatIndex, text: `draws ${data.count}`, from: "deck" }];
      case "pile-taken":
        return [{ seat: data.seatIndex, text: takes(events, data), from: "pile" }];
      case "cards-melded":
        return taken ? [] : [{ seat: data.seatIndex, text: `lays ${data.cards.map(cardSigns).join(" ")}` }];
      case "book-completed":
        return [{ seat: data.seatIndex, text: `completes a book: ${data.status}` }];
      case "book-closed":
        return [{ seat: data.seatIndex, text: `closes a book: ${data.status}` }];
      case "foot-picked-up":
        return [{ seat: data.seatIndex, text: "picks up the foot" }];
      case "card-discarded":
        return [{ seat: data.seatIndex, text: `discards ${cardSigns(data.card)}${data.frozen ? ", frozen" : ""}` }];
      case "red-three-laid":
        return [{ seat: data.seatIndex, text: `lays ${cardSigns(data.card)}` }];
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
  return `takes ${taken.count}${laid.length > 0 ? ` with ${laid.map(cardSigns).join(" ")}` : ""}`;
}
