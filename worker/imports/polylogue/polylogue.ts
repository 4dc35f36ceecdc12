import * as z from "zod/mini";
import { ACCOUNT_FORMAT, ACCOUNT_VERSION } from "#shared/entities/library/account-export.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { type Archive, DIRECTORY_ENTRIES } from "../archive.ts";
import { addCounts, type Brought, counted, type Importing, type Plan, type PlanItem, type Source } from "../source.ts";
import { bringArtifact } from "./bring-artifact.ts";
import { bringFolders } from "./bring-folders.ts";
import { bringKnowledge } from "./bring-knowledge.ts";
import { bringLibrary } from "./bring-library.ts";
import { bringOwnChat } from "./bring-own-chat.ts";
import { bringMemories, bringSchedules, bringSettings } from "./bring-settings.ts";
import { readJson } from "./read-json.ts";
import { renewal } from "./renewed-ids.ts";

const MANIFEST = "account.json";
const MANIFEST_BYTES = 1024 * 1024;
const Manifest = z.object({ format: z.literal(ACCOUNT_FORMAT), version: z.number(), account_id: z.string().check(z.maxLength(100)) });

/** What has a file of its own, in the order in which it comes: artifacts before the knowledge that holds them. */
const FILES: [kind: string, name: RegExp][] = [
  ["artifact", /^artifacts\/[^/]+\/artifact\.json$/],
  ["knowledge", /^knowledge\/[^/]+\/entry\.json$/],
  ["chat", /^chats\/[^/]+\/details\.json$/],
];

/** Exports of everything that somebody has here. */
export const polylogue: Source = {
  id: "polylogue",
  recognize: async (archive) => (await readManifest(archive)) !== null,

  async plan({ archive }) {
    const manifest = await readManifest(archive);
    if (manifest?.version !== ACCOUNT_VERSION) return unread("It is of another version, which cannot be read here.");
    if (archive.entries.size >= DIRECTORY_ENTRIES) return unread("It has more files than can be imported.");
    const sizes = sizesByFolder(archive);
    const items: PlanItem[] = [{ kind: "account", name: MANIFEST, from: 0, length: ALONE }];
    for (const [kind, pattern] of FILES) {
      for (const name of archive.entries.keys()) {
        // What is large is brought alone.
        if (pattern.test(name)) items.push({ kind, name, from: 0, length: sizes.get(folderOf(name)) ?? 0 });
      }
    }
    return { items, notes: sharedNotes(archive), counts: {} } satisfies Plan;
  },

  async bring(importing, { kind, name }, place) {
    const { account_id: accountId } = (await readManifest(importing.archive)) ?? { account_id: "" };
    const ids = renewal(importing, accountId);
    switch (kind) {
      case "artifact":
        return bringArtifact(importing, { name, place }, ids);
      case "knowledge":
        return bringKnowledge(importing, { name, place }, ids);
      case "chat":
        return bringOwnChat(importing, { name, place }, ids);
      default:
        return bringAccount(importing, place, ids);
    }
  },
};

/** What says whose account it is; null for what is no such export. A file by itself is none, and is not read whole to see that. */
function readManifest(archive: Archive): Promise<z.infer<typeof Manifest> | null> {
  return archive.isZip ? readJson(archive, MANIFEST, Manifest, MANIFEST_BYTES) : Promise.resolve(null);
}

/** More than any share of items has, in bytes: nothing is brought beside it. */
const ALONE = Number.MAX_SAFE_INTEGER;

/** What refers to each other, one after the other. */
async function bringAccount(importing: Importing, place: number, ids: ReturnType<typeof renewal>): Promise<Brought> {
  const library = await bringLibrary(importing, ids);
  const settings = await bringSettings(importing, place, ids);
  const memories = await bringMemories(importing);
  const schedules = await bringSchedules(importing, ids);
  const folders = await bringFolders(importing);
  return [settings, memories, schedules, folders].reduce(
    (sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }),
    library,
  );
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

/** Bytes of all that is beside and below each file of an item; what a chat said stands beside its folder, under the same name. */
function sizesByFolder({ entries }: Archive): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [name, size] of entries) {
    const [top = "", own = "", ...below] = name.split("/");
    const folder = `${top}/${below.length === 0 ? own.replace(/\.json$/, "") : own}/`;
    sizes.set(folder, (sizes.get(folder) ?? 0) + size);
  }
  return sizes;
}

function sharedNotes({ entries }: Archive): ImportNote[] {
  const shared = [...entries.keys()].filter((name) => /^shared-chats\/[^/]+\.json$/.test(name));
  return shared.map((name) => ({
    kind: "chat",
    title: name.slice("shared-chats/".length),
    reason: "It is somebody else's: it stays in the file.",
  }));
}

function unread(reason: string): Plan {
  return { items: [], notes: [{ kind: "chat", title: MANIFEST, reason }], counts: counted("chat", "failed") };
}
