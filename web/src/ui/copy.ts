import { note } from "./notes";

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied`, "news");
  } catch {
    note("This browser does not let the page copy");
  }
}
