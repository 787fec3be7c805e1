// The catalogues of src/languages as modules: what the first screen says, and what the other screens say, so that a
// first visit loads little. Which texts these are stands in the sources.
import { readdir, readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import type { Catalogue } from "../src/languages";
import { firstTexts } from "./texts";

const folder = new URL("../src/languages/", import.meta.url);

export const languageCodes = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));

export const readCatalogue = async (code: string): Promise<Catalogue> =>
  JSON.parse(await readFile(new URL(`${code}.json`, folder), "utf8")) as Catalogue;

export function languages(): Plugin {
  return {
    name: "oyster-languages",
    resolveId: (id) => (/^virtual:languages?(\/|$)/.test(id) ? `\0${id}` : undefined),
    async load(id) {
      if (id === "\0virtual:languages") {
        const part = (code: string, which: string) =>
          `${which}: () => import(${JSON.stringify(`virtual:language/${code}/${which}`)})`;
        const all = (await languageCodes()).map(
          (code) => `${JSON.stringify(code)}: { ${part(code, "first")}, ${part(code, "more")} }`,
        );
        return `export const languages = { ${all.join(", ")} };`;
      }
      const [, code, which] = /^\0virtual:language\/(\w+)\/(first|more)$/.exec(id) ?? [];
      if (!code) return undefined;
      this.addWatchFile(new URL(`${code}.json`, folder).pathname);
      const first = await firstTexts();
      const texts = Object.entries(await readCatalogue(code)).filter(([key]) => first.has(key) === (which === "first"));
      return `export default ${JSON.stringify(Object.fromEntries(texts))};`;
    },
  };
}

// A worker says nothing to people.
export const noLanguages = (): Plugin => ({
  name: "oyster-no-languages",
  resolveId: (id) => (id === "virtual:languages" ? `\0${id}` : undefined),
  load: (id) => (id === "\0virtual:languages" ? "export const languages = {};" : undefined),
});
