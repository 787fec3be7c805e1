import { onMount } from "solid-js";
import { Nowhere } from "../ui/Nowhere";
import { t } from "../languages";

export function Unloaded() {
  const again = (
    <button type="button" class="button" onClick={() => location.reload()}>
      {t("Try again")}
    </button>
  );
  return (
    <div class="page">
      <Nowhere title={t("This could not be loaded")} more={again}>
        {t("The server may not be reached at the moment.")}
      </Nowhere>
    </div>
  );
}

export function NotFound() {
  onMount(() => (document.title = `${t("Nothing here")} – Oyster`));
  return (
    <div class="page">
      <Nowhere title={t("There is nothing here")}>{t("The address may be mistyped, or the page has moved.")}</Nowhere>
    </div>
  );
}
