import { onMount } from "solid-js";
import { Nowhere } from "../ui/Nowhere";

export function NotFound() {
  onMount(() => (document.title = "Nothing here – Oyster"));
  return (
    <div class="page">
      <Nowhere title="There is nothing here">The address may be mistyped, or the page has moved.</Nowhere>
    </div>
  );
}
