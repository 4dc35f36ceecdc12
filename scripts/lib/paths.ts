import { join, resolve } from "node:path";

/** The repository's folder. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** A path inside the repository. */
export function inRoot(...parts: string[]): string {
  return join(ROOT, ...parts);
}
