let pending: Promise<void> | null = null;

/** Fetches the styles that the page began without (scripts/lib/build/first-styles.ts), once; what failed is asked for again by the next call. */
export function allStyles(): Promise<void> {
  pending ??= load().catch((cause: unknown) => {
    pending = null;
    throw cause;
  });
  return pending;
}

/** A module that no first screen draws, as soon as its styles are here too. */
export async function late<T>(module: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([module, allStyles()]);
  return loaded;
}

async function load(): Promise<void> {
  const first = document.querySelector<HTMLLinkElement>("link[data-rest]");
  // While developing there is but one sheet.
  if (!first?.dataset.rest) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = first.dataset.rest;
  await new Promise<void>((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("The styles could not be loaded."));
    });
    // Right behind the first: what a part brings of its own comes after the utilities, as in the whole sheet.
    first.after(link);
  });
}
