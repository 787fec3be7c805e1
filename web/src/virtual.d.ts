declare module "virtual:games" {
  const games: Omit<import("./model").GameInfo, "options" | "presets">[];
  export default games;
}
declare module "virtual:options" {
  const options: Record<string, Pick<import("./model").GameInfo, "options" | "presets">>;
  export default options;
}
