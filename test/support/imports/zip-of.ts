import { deflate, zip } from "../office-files.ts";

/** A ZIP of texts and bytes by name, packed as exports are. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(async ([name, file]) => {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
    return { name, bytes, packed: await deflate(bytes) };
  });
  return zip(await Promise.all(entries));
}
