import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";
import { faces } from "./scripts/faces";
import { languages, noLanguages } from "./scripts/languages";
import { pages } from "./scripts/pages";
import { captions, registry as ask } from "./scripts/texts";
import type { GameInfo } from "./src/model";

// The registry, asked of the engine itself at build time.
const list = async (): Promise<GameInfo[]> => (await ask()).games;

// `virtual:games` is what a list shows, `virtual:options` house rules, presets and numbers, `virtual:prompts` what
// people are asked at a table, `virtual:captions` what they read of what happens, `virtual:world` what every world has.
function registry(): Plugin {
  return {
    name: "oyster-registry",
    resolveId: (id) => (/^virtual:(games|options|prompts|captions|world)$/.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const module = (value: unknown) => `export default ${JSON.stringify(value)}`;
      if (id === "\0virtual:games")
        return module(
          (await list()).map(
            ({ options: _options, presets: _presets, numbers: _numbers, prompts: _prompts, ...game }) => game,
          ),
        );
      if (id === "\0virtual:options")
        return module(
          Object.fromEntries(
            (await list()).map(({ id: key, options, presets, numbers }) => [key, { options, presets, numbers }]),
          ),
        );
      if (id === "\0virtual:prompts")
        return module(Object.fromEntries((await list()).map(({ id: key, prompts }) => [key, prompts])));
      if (id === "\0virtual:captions") return module(await captions());
      if (id === "\0virtual:world")
        return Object.entries((await ask()).world)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join("\n");
      return undefined;
    },
  };
}

// The classic faces as pictures of their own: /cards/QH.svg.
function cards(): Plugin {
  return {
    name: "oyster-cards",
    async generateBundle() {
      for (const [name, source] of await faces()) this.emitFile({ type: "asset", fileName: `cards/${name}`, source });
    },
  };
}

// Everything that was built, for the service worker to keep.
function offline(): Plugin {
  return {
    name: "oyster-offline",
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => /^(assets|cards)\//.test(name));
      const source = await readFile(new URL("./src/service.js", import.meta.url), "utf8");
      const list = ["/", "/icon.svg", "/oyster.webmanifest", ...files.map((name) => `/${name}`)].sort();
      const worker = source.replace(/\bFILES\b/, JSON.stringify(list));
      if (worker === source) this.error("src/service.js has no place for the list of files");
      this.emitFile({ type: "asset", fileName: "worker.js", source: worker });
    },
  };
}

export default defineConfig({
  plugins: [solid(), registry(), languages(), pages(list), cards(), offline()],
  build: {
    outDir: "../build/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 1024,
    reportCompressedSize: false,
  },
  worker: { format: "es", plugins: () => [registry(), noLanguages()] },
  test: { environment: "node", include: ["src/**/*.test.ts", "scripts/*.test.ts"] },
});
