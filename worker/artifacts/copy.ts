/** Copies of artifacts, which stand for themselves: their pictures are copied too. */
import { ARTIFACT_FILES_MAX } from "#shared/limits.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { namedId } from "../named-id.ts";
import { pictureKey } from "./bodies.ts";
import { type FileRow, insertCopiedFile, selectFiles } from "./queries.ts";
import { reachArtifacts } from "./reach/reach.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const LINK = new RegExp(`/api/artifacts/(${UUID})/files/(${UUID})`, "g");
/** Pictures copied at once; a Worker has six connections. */
const AT_ONCE = 4;

type Picture = { from: FileRow; id: string };
/** A text whose pictures are the copy's own, and those pictures, which `copyPictures` brings. */
export type CopiedText = { content: string; pictures: Picture[]; bytes: number };

/** The text of a copy: links to pictures that its maker may see lead to the copy's own. The same for the same text and copy. */
export async function copyText(db: Database, { userId, copyId, content }: { userId: string; copyId: string; content: string }) {
  const named = new Map<string, string>();
  for (const [, artifactId = "", fileId = ""] of content.matchAll(LINK)) {
    if (artifactId !== copyId && named.size < ARTIFACT_FILES_MAX) named.set(fileId, artifactId);
  }
  const reached = await reachArtifacts(db, userId, [...new Set(named.values())]);
  const readable = new Set(reached.map(({ row }) => row.id));
  const files = (await selectFiles(db, [...named.keys()])).filter(({ id, artifact_id: of }) => named.get(id) === of && readable.has(of));
  const pictures = await Promise.all(
    files.map(async (from): Promise<Picture> => ({ from, id: await namedId(JSON.stringify(["picture", copyId, from.id])) })),
  );
  const byLink = new Map(pictures.map(({ from, id }) => [linkOf(from.artifact_id, from.id), linkOf(copyId, id)]));
  return {
    content: content.replaceAll(LINK, (link) => byLink.get(link) ?? link),
    pictures,
    bytes: pictures.reduce((sum, { from }) => sum + from.size, 0),
  } satisfies CopiedText;
}

/** Brings a copy's pictures; those that are there already stay, and one whose bytes are gone is left out. */
export async function copyPictures(
  env: Env,
  db: Database,
  { userId, copyId, pictures }: { userId: string; copyId: string; pictures: readonly Picture[] },
): Promise<void> {
  for (let next = 0; next < pictures.length; next += AT_ONCE) {
    await Promise.all(pictures.slice(next, next + AT_ONCE).map((picture) => copyPicture(env, db, { userId, copyId, picture })));
  }
}

async function copyPicture(env: Env, db: Database, { userId, copyId, picture }: { userId: string; copyId: string; picture: Picture }) {
  const { from, id } = picture;
  const key = pictureKey(copyId, id);
  if ((await env.FILES.head(key)) === null) {
    const source = await env.FILES.get(pictureKey(from.artifact_id, from.id));
    if (!source) return;
    await env.FILES.put(key, source.body, { httpMetadata: { contentType: from.type } });
  }
  await insertCopiedFile(db, { ...from, id, artifact_id: copyId, user_id: userId, created_at: new Date().toISOString() });
}

function linkOf(artifactId: string, fileId: string): string {
  return `/api/artifacts/${artifactId}/files/${fileId}`;
}
