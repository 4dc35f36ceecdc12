import type { readPassage } from "#shared/contracts/library/passages.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { usableKnowledge } from "../knowledge/knowledge.ts";
import { indexOf } from "../passage-index/stub.ts";
import { placeOf } from "./passage.ts";

type Wanted = { userId: string; contextId: string; documentId: string; from: number; to: number };

/** A passage for whoever may use its entry now. Throws NOT_FOUND for everybody else, and where it is gone. */
export async function showPassage(
  env: Env,
  db: Database,
  { userId, contextId, documentId, from, to }: Wanted,
): Promise<ResponseOf<typeof readPassage>> {
  const [usable] = await usableKnowledge(db, userId, [contextId]);
  const isHidden = usable?.hiddenIds.includes(documentId) ?? true;
  const shown = isHidden ? null : await indexOf(env, contextId).show({ documentId, start: from, end: to });
  const [first, last] = [shown?.passages[0], shown?.passages.at(-1)];
  if (!usable || !shown || !first || !last)
    throw new AppError("NOT_FOUND", { message: "This passage is not there any more, or not yours to see." });
  const { id, name, pages } = shown.document;
  return {
    context: { id: contextId, name: usable.entry.name },
    document: { id, name, pages },
    place: placeOf({ ...first, last_row: last.last_row }),
    page: first.page,
    before: shown.before,
    text: shown.passages.map(({ text }) => text).join(""),
    after: shown.after,
    file_url: usable.files.find((file) => file.id === documentId)?.file_url ?? null,
    artifact_id: usable.artifacts.find(({ artifact_id: artifactId }) => artifactId === documentId)?.artifact_id ?? null,
  };
}
