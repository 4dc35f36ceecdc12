import type * as z from "zod/mini";
import type { Archive } from "../archive.ts";

/** A library or a chat in one file of an export is at most so long, in bytes. */
const JSON_BYTES = 48 * 1024 * 1024;

/** A file of an export as its schema says it; null where it is not there, or is something else. */
export async function readJson<T>(archive: Archive, name: string, schema: z.ZodMiniType<T>, limit = JSON_BYTES): Promise<T | null> {
  const bytes = await archive.read(name, limit);
  if (!bytes) return null;
  try {
    const { data } = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return data ?? null;
  } catch {
    // Damaged, which its report says.
    return null;
  }
}

/** A text of an export; null where it is not there. */
export async function readText(archive: Archive, name: string, limit: number): Promise<string | null> {
  const bytes = await archive.read(name, limit);
  return bytes && new TextDecoder().decode(bytes);
}
