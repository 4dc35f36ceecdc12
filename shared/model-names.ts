import { MODEL_NAME_LENGTH } from "./limits.ts";

/** A model's name without its maker: what precedes the first `: ` is removed (spec 9). */
export function nameWithoutMaker(name: string): string {
  const at = name.indexOf(": ");
  return at === -1 ? name : name.slice(at + 2);
}

/** A model's name as buttons and rows show it: without its maker, cut to 18 characters plus an ellipsis (spec 9). */
export function shortModelName(name: string): string {
  const characters = Array.from(nameWithoutMaker(name));
  if (characters.length <= MODEL_NAME_LENGTH) return characters.join("");
  return `${characters.slice(0, MODEL_NAME_LENGTH).join("").trimEnd()}…`;
}

/** Made at its first use: it costs more than a hundred comparisons. */
let collator: Intl.Collator | null = null;

/** Orders models by name without the maker, numbers by value (`GPT-5` before `GPT-10`), equal names by id. */
export function compareModels(a: { id: string; name: string }, b: { id: string; name: string }): number {
  collator ??= new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return collator.compare(nameWithoutMaker(a.name), nameWithoutMaker(b.name)) || (a.id < b.id ? -1 : 1);
}
