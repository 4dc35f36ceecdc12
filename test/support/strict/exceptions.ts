import type { StrictOptions } from "./options.ts";

/** A file of test/worker, or those of its tests whose name has `test`, that has the platform less strict, and why. */
type Exception = { file: string; test?: string; own: StrictOptions; reason: string };

export const EXCEPTIONS: Exception[] = [];
