import * as z from "zod/mini";

/** A field that may be missing or null, and counts as null where it is of another shape: servers that nobody here wrote fill it. */
export function nullishField<T extends z.ZodMiniType>(schema: T) {
  // The linter takes it for a promise's.
  // oxlint-disable-next-line promise/valid-params
  return z.catch(z.nullish(schema), () => null);
}
