/**
 * Takes the place of the package `decode-named-character-reference` in the browser (scripts/lib/build/character-references.ts): that one has
 * the browser read the reference as markup, which only a policy of ours may make.
 */
import { createPolicy } from "#web/lib/trusted-types.ts";

let markup: ReturnType<typeof createPolicy> | undefined;
let holder: HTMLElement | undefined;

/** The characters that a name such as `copy` stands for, false where HTML has no such name. */
export function decodeNamedCharacterReference(name: string): string | false {
  markup ??= createPolicy("character-references", { createHTML: (given) => `&${given.replaceAll(/[^a-z0-9]/gi, "")};` });
  holder ??= document.createElement("i");
  holder.innerHTML = markup.createHTML(name);
  const characters = holder.textContent;
  // What is left of a name that is not known, or known by its beginning alone, ends as it was written.
  return characters.endsWith(";") && name !== "semi" ? false : characters;
}
