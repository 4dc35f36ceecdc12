import type { Archive } from "../archive.ts";
import type { ExternalFile } from "../chats/message-tree.ts";

export type Finder = (asked: { id: string; name: string | null }) => ExternalFile;

const finders = new WeakMap<object, Finder>();

/** Finds files by the ids that their names in the archive begin with: `file-abc-photo.png`, `dalle-generations/file-abc-1.webp`. */
export function createFinder(archive: Pick<Archive, "entries">): Finder {
  const known = finders.get(archive);
  if (known) return known;
  const byId = new Map<string, string>();
  for (const name of archive.entries.keys()) {
    const base = name.slice(name.lastIndexOf("/") + 1);
    const id = /^file[-_][A-Za-z0-9]+/.exec(base)?.[0];
    if (id !== undefined && !byId.has(id)) byId.set(id, name);
  }
  const find: Finder = ({ id, name }) => {
    const entry = byId.get(id) ?? null;
    return { name: withExtension(name ?? plainId(id), entry), entry, text: null };
  };
  finders.set(archive, find);
  return find;
}

function plainId(id: string): string {
  return id === "" ? "file" : id;
}

/** A name that says its type, by the archive's where its own does not. */
function withExtension(name: string, entry: string | null): string {
  const extension = entry === null ? null : (/\.[A-Za-z0-9]{1,8}$/.exec(entry)?.[0] ?? null);
  return extension === null || /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : `${name}${extension}`;
}
