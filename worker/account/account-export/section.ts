import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { Archive } from "./zip/archive.ts";

/** What a section writes with. */
export type ExportContext = {
  env: Env;
  db: Database;
  userId: string;
  /** The person as rooms know them. */
  reader: Reader;
  archive: Archive;
  /** True where an earlier try of the same step failed: what cannot be read is left out then. */
  isLastTry: boolean;
  /** Counts what came into the file. */
  count(what: string, more?: number): void;
  /** Notes what could not come into it. */
  leaveOut(what: string, why: string): void;
  /** So many of the things that the section counted beforehand are done. */
  progress(more: number): void;
};

/** A part of an account as an export has it. */
export type Section = {
  /** How many things it has to do, for the progress that is shown. */
  total?(context: Pick<ExportContext, "env" | "db" | "userId">): Promise<number>;
  /** Writes a bounded part from `cursor` on, null at the beginning; answers where the next part begins, null at the end. Each part names each entry once. */
  write(context: ExportContext, cursor: string | null): Promise<string | null>;
};

/** A part takes no further file after so many bytes, or so many files. */
export const PART_BYTES = 24 * 1024 * 1024;
export const PART_FILES = 50;

/** A value as a file that people can read. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
