import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod";

const Manifest = z.record(
  z.string(),
  z.looseObject({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
);
type Manifest = z.infer<typeof Manifest>;

/** The files of a build that its one entry loads before anything is asked for lazily. */
export async function filesAtStart(folder: string): Promise<string[]> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, ".vite", "manifest.json"), "utf8")));
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  return [...new Set(entries.flatMap((key) => closure(manifest, key)))];
}

/** What files of a folder weigh together, each packed by itself, in KiB. */
export async function gzippedKib(folder: string, files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

function closure(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((name) => closure(manifest, name, seen))];
}
