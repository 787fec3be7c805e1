// A text to read: the guide, or the rules of a game.
export interface Section {
  id: string;
  title: string;
  html: string;
}

export interface Page {
  title: string;
  lead: string;
  sections: Section[];
}
