import { onMount } from "solid-js";
import { Nowhere } from "../ui/Nowhere";

export function Unloaded() {
  const again = (
    <button type="button" class="button" onClick={() => location.reload()}>
      Try again
    </button>
  );
  return (
    <div class="page">
      <Nowhere title="This could not be loaded" more={again}>
        The server may not be reached at the moment.
      </Nowhere>
    </div>
  );
}

export function NotFound() {
  onMount(() => (document.title = "Nothing here – Oyster"));
  return (
    <div class="page">
      <Nowhere title="There is nothing here">The address may be mistyped, or the page has moved.</Nowhere>
    </div>
  );
}
