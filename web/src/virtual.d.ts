declare module "virtual:games" {
  const games: Omit<import("./model").GameInfo, "options" | "presets">[];
  export default games;
}
declare module "virtual:options" {
  const options: Record<string, Pick<import("./model").GameInfo, "options" | "presets">>;
  export default options;
}
declare module "virtual:pages" {
  const pages: Record<string, () => Promise<{ default: import("./pages").Page }>>;
  export default pages;
}
