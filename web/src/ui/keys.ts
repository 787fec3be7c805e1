// Is a key meant for the table? Not while somebody types, is asked something in a dialog, or holds a key with it by
// which browsers and systems do something else. A switch that has the focus leaves all but its own keys to the table.
export const isForTable = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !(target instanceof HTMLInputElement && target.type !== "checkbox") &&
  !(ctrlKey || metaKey || altKey) &&
  document.querySelector("dialog[open]") === null;
