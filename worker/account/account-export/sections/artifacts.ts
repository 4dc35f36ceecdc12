import * as z from "zod/mini";
import { findBody, pictureKey } from "#worker/library/artifacts/bodies.ts";
import { type ExportContext, prettyJson, PART_BYTES, PART_FILES, type Section } from "../section.ts";
import { safeName } from "../zip/safe-name.ts";
import { countOwnArtifacts, nextOwnArtifact } from "./queries.ts";

/** The artifact after `after` is next; with `item` that very one goes on with the item of this number. */
const Cursor = z.object({ after: z.string(), item: z.nullable(z.string()) });

type ArtifactWithHistory = NonNullable<Awaited<ReturnType<typeof nextOwnArtifact>>>;
type Item = { key: string; write: (context: ExportContext) => Promise<number> };

/** The person's own documents, with what they said before and their pictures. */
export const artifactsSection: Section = {
  total: ({ db, userId }) => countOwnArtifacts(db, userId),
  async write(context, cursor) {
    const at = cursor === null ? { after: "", item: null } : Cursor.parse(JSON.parse(cursor));
    const found = await nextOwnArtifact(context.db, { userId: context.userId, after: at.after, isSame: at.item !== null });
    // One that goes on is gone meanwhile: what is in stays in.
    if (!found) return at.item === null ? null : JSON.stringify({ after: at.after, item: null });
    if (at.item === null) await writeArtifact(context, found);
    const item = await writeItems(context, { found, behind: at.item });
    return JSON.stringify({ after: found.artifact.id, item });
  },
};

function pathOf({ artifact }: ArtifactWithHistory): string {
  return `artifacts/${safeName(artifact.title, "Untitled")} (${artifact.id.slice(0, 8)})`;
}

function versionPath(found: ArtifactWithHistory, version: number): string {
  return `${pathOf(found)}/versions/${String(version).padStart(5, "0")}.md`;
}

function picturePath(found: ArtifactWithHistory, { id, name }: ArtifactWithHistory["files"][number]): string {
  return `${pathOf(found)}/pictures/${id.slice(0, 8)} ${safeName(name, "picture")}`;
}

async function writeArtifact({ archive, env, count, progress, leaveOut }: ExportContext, found: ArtifactWithHistory): Promise<void> {
  const { artifact, versions, files, isPinned } = found;
  const { id, title, version, size, body, created_at, updated_at } = artifact;
  const text = await findBody(env, id, body);
  if (text === null) leaveOut(`${pathOf(found)}.md`, "It is no longer stored.");
  else await archive.text(`${pathOf(found)}.md`, text, updated_at);
  const details = {
    id,
    title,
    version,
    size,
    is_pinned: isPinned,
    created_at,
    updated_at,
    path: text === null ? null : `${pathOf(found)}.md`,
    versions: versions.map(({ artifact_id: _of, author_id: _author, body: _body, replaced_at: _gone, begun_at: _begun, ...one }) => ({
      ...one,
      path: versionPath(found, one.version),
    })),
    pictures: files.map((file) => {
      const { artifact_id: _of, user_id: _by, ...own } = file;
      return { ...own, path: picturePath(found, file) };
    }),
  };
  await archive.text(`${pathOf(found)}/artifact.json`, prettyJson(details), updated_at);
  count("artifacts");
  progress(1);
}

/** What it said before, then its pictures, in an order that stays when more come. */
function itemsOf(found: ArtifactWithHistory): Item[] {
  const { artifact, versions, files } = found;
  const versionItems = versions.map(({ version, body, created_at: at }) => ({
    key: `1-${String(version).padStart(9, "0")}`,
    write: async ({ env, archive, count, leaveOut }: ExportContext) => {
      const text = await findBody(env, artifact.id, body);
      if (text === null) leaveOut(versionPath(found, version), "It is no longer stored.");
      else {
        await archive.text(versionPath(found, version), text, at);
        count("artifact_versions");
      }
      return text?.length ?? 0;
    },
  }));
  const pictures = files.map((file) => ({
    key: `2-${file.id}`,
    write: async ({ env, archive, count, leaveOut }: ExportContext) => {
      const stored = await env.FILES.get(pictureKey(artifact.id, file.id));
      if (!stored) leaveOut(picturePath(found, file), "It is no longer stored.");
      else {
        await archive.file(picturePath(found, file), stored.body, { at: new Date(file.created_at), isDeflated: false });
        count("artifact_pictures");
      }
      return stored?.size ?? 0;
    },
  }));
  return [...versionItems, ...pictures];
}

async function writeItems(
  context: ExportContext,
  { found, behind }: { found: ArtifactWithHistory; behind: string | null },
): Promise<string | null> {
  let bytes = 0;
  let items = 0;
  let last = behind;
  for (const { key, write } of itemsOf(found)) {
    if (behind !== null && key <= behind) continue;
    if (bytes > PART_BYTES || items >= PART_FILES) return last;
    last = key;
    items += 1;
    bytes += await write(context);
  }
  return null;
}
