declare module "virtual:games" {
  const games: Omit<import("./model").GameInfo, "options" | "presets" | "numbers" | "prompts">[];
  export default games;
}
declare module "virtual:options" {
  const options: Record<string, Pick<import("./model").GameInfo, "options" | "presets" | "numbers">>;
  export default options;
}
declare module "virtual:prompts" {
  const prompts: Record<string, import("./model").GameInfo["prompts"]>;
  export default prompts;
}
declare module "virtual:captions" {
  const captions: Record<string, import("./table/captions").Row[]>;
  export default captions;
}
declare module "virtual:pages" {
  const pages: Record<string, Record<string, () => Promise<{ default: import("./pages").Page }>>>;
  export default pages;
}
declare module "virtual:world" {
  type About = import("./model").WorldInfo;
  export const options: About["options"];
  export const speeds: About["speeds"];
  export const levels: About["levels"];
  export const usualLevel: About["usualLevel"];
  export const emotes: About["emotes"];
  export const limits: About["limits"];
}
declare module "virtual:languages" {
  type Part = () => Promise<{ default: import("./languages").Catalogue }>;
  export const languages: Record<string, { first: Part; more: Part }>;
}
