import { note } from "./notes";
import { t } from "../languages";

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note(t("{what} copied", { what }), "news");
  } catch {
    note(t("This browser does not let the page copy"));
  }
}
