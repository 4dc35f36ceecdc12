import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { Library } from "#shared/library/library.ts";
import { LIBRARY_LENGTH } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** How many came in, and how many were there already, word for word. */
const Taken = z.object({ added: z.number(), present: z.number() });

const ROWS: Record<string, string> = { personas: "Persona", prompts: "Prompt" };

/** Names the row that is wrong, counted from 1, and what is wrong with it. */
function refuse([part, index]: readonly PropertyKey[], words: string): string {
  const row = ROWS[String(part)];
  if (row !== undefined && typeof index === "number") return `${row} ${index + 1} of this file: ${words} Nothing was imported.`;
  if (part === "version") return `This file is of another version of ${APP_NAME}. Nothing was imported.`;
  if (part === undefined || part === "format") return `This is not a file of prompts and personas that was exported from ${APP_NAME}.`;
  return `This file was changed or is damaged (${String(part)}). Nothing was imported.`;
}

export const exportLibrary = endpoint("GET", "/api/library", {
  summary: "The caller's own personas and prompts as a file has them. Where they are long it is several: `next` asks for the following one",
  access: "account",
  query: z.object({ after: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0) }),
  response: z.object({ library: Library, next: z.nullable(z.number()) }),
});

export const importLibrary = endpoint("POST", "/api/library", {
  summary: "Add the personas and prompts of such a file to the caller's own, except those that are there word for word",
  access: "account",
  repeat: "key",
  body: Library,
  bodyLength: LIBRARY_LENGTH,
  bodyRefusal: refuse,
  response: z.object({
    personas: Taken,
    prompts: Taken,
    /** What could not be taken along, each in a sentence. */
    left_out: z.array(z.string()),
  }),
});
