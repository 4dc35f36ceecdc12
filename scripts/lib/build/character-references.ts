import { inRoot } from "../paths.ts";

const PACKAGE = "decode-named-character-reference";
const OURS = inRoot("web", "features", "markdown", "character-reference.ts");

/** In the browser a character reference is decoded by the product's own module, as a page's policy lets no package write markup. */
export const characterReferences = {
  name: "character-references",
  enforce: "pre" as const,
  applyToEnvironment: ({ name }: { name: string }) => name === "client",
  resolveId: (source: string) => (source === PACKAGE ? OURS : null),
};
