/** An answer that does not begin is waited for this long, in milliseconds. */
const PATIENCE_MS = 5_000;

let waiting = 0;
let release: (() => void)[] = [];

/** Says that a person waits for the first words of an answer; returns what says that they stand there, or that none will come. */
export function beginAwaitingFirstText(): () => void {
  let isOver = false;
  waiting += 1;
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    waiting -= 1;
    if (waiting > 0) return;
    const released = release;
    release = [];
    for (const go of released) go();
  };
  const timer = setTimeout(end, PATIENCE_MS);
  return end;
}

/** True while somebody waits for the first words of an answer. */
export function isFirstTextAwaited(): boolean {
  return waiting > 0;
}

/** Resolves when nobody waits for first words, at once where nobody does: what can wait does not compete with them. */
export function afterFirstText(): Promise<void> {
  return waiting === 0 ? Promise.resolve() : new Promise((resolve) => release.push(resolve));
}

/** Loads what nobody misses before the first words. */
export async function loadAfterFirstText<T>(load: () => Promise<T>): Promise<T> {
  await afterFirstText();
  return load();
}
