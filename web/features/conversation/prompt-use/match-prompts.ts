import { matcher, plainText } from "#web/ui/picker/match.ts";

/** Names made ready for comparing, in the order of the list. */
export type NameIndex<T> = readonly { item: T; name: string }[];

/** Makes names ready, once for a list. */
export function indexNames<T>(items: readonly T[], nameOf: (item: T) => string): NameIndex<T> {
  return items.map((item) => ({ item, name: plainText(nameOf(item)) }));
}

/** The items whose name holds every word of a query: those that begin with it first, else in the order of the list. */
export function matchNames<T>(index: NameIndex<T>, query: string): T[] {
  const start = plainText(query).trim();
  if (start === "") return index.map(({ item }) => item);
  const isMatch = matcher(query);
  const [first, then]: [T[], T[]] = [[], []];
  for (const { item, name } of index) if (isMatch(name)) (name.startsWith(start) ? first : then).push(item);
  return [...first, ...then];
}
