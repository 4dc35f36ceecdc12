let wanted: string | null = null;

/** Has the memory opened at a fact, ready to be mended. */
export function wantMemory(id: string): void {
  wanted = id;
}

/** The fact to edit, once. */
export function takeWanted(): string | null {
  const id = wanted;
  wanted = null;
  return id;
}
