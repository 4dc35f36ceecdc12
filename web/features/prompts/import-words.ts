import type { ImportAnswer } from "./use-library.ts";

/** What came in with a file, and what was there already. */
export function importWords({ personas, prompts }: Omit<ImportAnswer, "left_out">): string {
  const added = [counted(prompts.added, "prompt"), counted(personas.added, "persona")].filter((text) => text !== null);
  const present = prompts.present + personas.present;
  const here = present === 0 ? "" : ` ${present} of the file ${present === 1 ? "was" : "were"} here already, word for word.`;
  return `${added.length === 0 ? "Nothing new." : `${added.join(" and ")} came in.`}${here}`;
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
