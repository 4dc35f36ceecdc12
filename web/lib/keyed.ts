/** Pairs parts of a text with keys: they are only ever added at the end, so their place is their identity. */
export function withIndexKeys<Part>(parts: readonly Part[]): { key: string; part: Part; isLast: boolean }[] {
  return parts.map((part, index) => ({ key: String(index), part, isLast: index === parts.length - 1 }));
}
