import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const CODE = /\.(ts|tsx|mjs)$/;

/** One import: what it names as written, where that is in the repository (null for packages), and whether only types come along, or nothing before it is asked for. */
export type Import = { specifier: string; target: string | null; isTypeOnly: boolean; isLazy: boolean };

export type Source = { path: string; text: string; imports: Import[] };

/** Every code file under the named folders; paths are relative to the repository, with slashes. */
export function readSources(...folders: string[]): Source[] {
  return folders
    .flatMap(filesUnder)
    .filter((path) => CODE.test(path))
    .map(readSource);
}

/** Every file under a folder, dot folders left out. */
export function filesUnder(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((part) => part.startsWith(".")));
}

/** A file's text. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function readSource(path: string): Source {
  const text = readText(path);
  return { path, text, imports: importsOf(path, text) };
}

function importsOf(path: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?"([^"]+)"/gm);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"/g);
  return [
    ...Array.from(statements, ([, type, specifier = ""]) => ({ specifier, isTypeOnly: type !== undefined, isLazy: false })),
    ...Array.from(dynamic, ([, specifier = ""]) => ({ specifier, isTypeOnly: false, isLazy: true })),
  ].map((found) => ({ ...found, target: targetOf(path, found.specifier) }));
}

function targetOf(path: string, specifier: string): string | null {
  const clean = specifier.replace(/\?.*$/, "");
  if (clean.startsWith("#")) return clean.slice(1);
  return clean.startsWith(".") ? join(dirname(path), clean).split(sep).join("/") : null;
}

/** Cycles of imports, each as a path that ends where it began; imports of types alone and lazy ones count too. */
export function findCycles(sources: Source[]): string[] {
  const edges = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const cycles = new Set<string>();
  const done = new Set<string>();
  function walk(path: string, trail: string[]): void {
    const seenAt = trail.indexOf(path);
    if (seenAt !== -1) {
      const ring = trail.slice(seenAt);
      const first = ring.indexOf(ring.toSorted()[0] ?? path);
      cycles.add([...ring.slice(first), ...ring.slice(0, first), ring[first]].join(" -> "));
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  }
  for (const path of edges.keys()) walk(path, []);
  return [...cycles];
}

/**
 * Folders that stand beside each other in a wing, at any depth, and import each other in a circle, by the folder that holds them; imports of
 * types alone and lazy ones count too. A wing's own files are one more of its folders; deeper down a folder's files and the folders in it may
 * serve each other.
 */
export function findSiblingCircles(sources: Source[], root: string): Record<string, string[]> {
  const parts = (path: string) => path.slice(root.length + 1).split("/");
  const edges = new Map<string, Map<string, Set<string>>>();
  for (const { path, imports } of sources) {
    for (const { target } of imports) {
      if (!path.startsWith(`${root}/`) || !target?.startsWith(`${root}/`)) continue;
      const [from, to] = [parts(path), parts(target)];
      let depth = 0;
      while (depth < from.length - 1 && depth < to.length - 1 && from[depth] === to[depth]) depth += 1;
      if (depth === 0) continue;
      const folderOf = (names: string[]) => (names.length - 1 > depth ? names[depth] : depth === 1 ? "." : undefined);
      const [one, other] = [folderOf(from), folderOf(to)];
      if (one === undefined || other === undefined || one === other) continue;
      const holder = [root, ...from.slice(0, depth)].join("/");
      const siblings = edges.get(holder) ?? new Map<string, Set<string>>();
      edges.set(holder, siblings.set(one, (siblings.get(one) ?? new Set()).add(other)));
    }
  }
  const circles: [string, string[]][] = [...edges].map(([holder, siblings]) => [
    holder,
    [...siblings.keys()].filter((one) => leadsBack(siblings, one)).toSorted(),
  ]);
  return Object.fromEntries(circles.filter(([, folders]) => folders.length > 0));
}

function leadsBack(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string): boolean {
  const visited = new Set<string>();
  const walk = (one: string) => {
    for (const next of edges.get(one) ?? []) {
      if (visited.has(next)) continue;
      visited.add(next);
      walk(next);
    }
  };
  walk(start);
  return visited.has(start);
}
