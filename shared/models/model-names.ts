import { MODEL_NAME_LENGTH } from "#shared/limits.ts";

/** A model's name without its maker: what precedes the first `: ` is removed. */
export function nameWithoutVendor(name: string): string {
  const at = name.indexOf(": ");
  return at === -1 ? name : name.slice(at + 2);
}

/** A model's name as buttons and rows show it: without its maker, cut to 18 characters plus an ellipsis. */
export function shortModelName(name: string): string {
  const characters = Array.from(nameWithoutVendor(name));
  if (characters.length <= MODEL_NAME_LENGTH) return characters.join("");
  return `${characters.slice(0, MODEL_NAME_LENGTH).join("").trimEnd()}…`;
}

type Named = { id: string; name: string; provider: string };

/** Characters that distinguish a short name from one that begins alike. */
const DISTINCTIVE_LENGTH = 10;

/** The short names of these models, by id; where two would be cut to the same, each shows where it differs: in its words, else in its maker, else in its id. */
export function shortModelNames(models: readonly Named[]): ReadonlyMap<string, string> {
  const plain = models.map((model) => ({ model, short: shortModelName(model.name) }));
  const byDistinctiveStart = relabel(plain, (alike) => distinctiveNames(alike.map(({ name }) => nameWithoutVendor(name))));
  const byMaker = relabel(byDistinctiveStart, (alike) => alike.map(({ name, provider }) => `${shortModelName(name)} (${provider})`));
  const byId = relabel(byMaker, (alike) => alike.map(({ id }) => id.slice(id.lastIndexOf("/") + 1)));
  return new Map(byId.map(({ model, short }) => [model.id, short]));
}

type Short = { model: Named; short: string };

/** The same names, with other labels for those that are equal. */
function relabel(names: readonly Short[], labelsOf: (alike: Named[]) => string[]): Short[] {
  const groups = new Map<string, Named[]>();
  for (const { model, short } of names) groups.set(short, [...(groups.get(short) ?? []), model]);
  const relabeled = new Map<string, string>();
  for (const alike of groups.values()) {
    if (alike.length > 1) for (const [index, short] of labelsOf(alike).entries()) relabeled.set(alike[index]?.id ?? "", short);
  }
  return names.map(({ model, short }) => ({ model, short: relabeled.get(model.id) ?? short }));
}

/** Names that begin alike, each cut to show its first words of its own, or its last where the first are others' too. */
function distinctiveNames(names: readonly string[]): string[] {
  const split = names.map((name) => name.split(" "));
  let common = 0;
  while (split.every((words) => words[common] !== undefined && words[common] === split[0]?.[common])) common += 1;
  const rests = split.map((words) => words.slice(common).join(" "));
  const firsts = rests.map((rest) => rest.slice(0, DISTINCTIVE_LENGTH).trimEnd());
  return names.map((name, index) => {
    const [rest = "", first = ""] = [rests[index], firsts[index]];
    // The shortest of them says no more than what they share.
    if (rest === "") return shortModelName(name);
    const own = firsts.filter((other) => other === first).length === 1 ? first : rest.slice(-DISTINCTIVE_LENGTH).trimStart();
    return `${name.slice(0, MODEL_NAME_LENGTH - own.length - 1).trimEnd()}… ${own}`;
  });
}

/** Made at its first use: it costs more than a hundred comparisons. */
let collator: Intl.Collator | null = null;

/** Orders models by name without the maker, numbers by value (`GPT-5` before `GPT-10`), equal names by id. */
export function compareModels(a: { id: string; name: string }, b: { id: string; name: string }): number {
  collator ??= new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return collator.compare(nameWithoutVendor(a.name), nameWithoutVendor(b.name)) || (a.id < b.id ? -1 : 1);
}
