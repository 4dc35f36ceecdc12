import type { Hono } from "hono";
import { readPassage } from "#shared/contracts/library/passages.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { usableKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { placeOf } from "#worker/library/passages/passage.ts";

export function passageRoutes(app: Hono<AppContext>): void {
  serve(app, readPassage, async ({ c, caller, params, query }) =>
    showPassage(c.env, c.var.db, { userId: caller.userId, entryId: params.id, documentId: params.documentId, ...query }),
  );
}

type Wanted = { userId: string; entryId: string; documentId: string; from: number; to: number };

/** A passage for whoever may use its entry now. Throws NOT_FOUND for everybody else, and where it is gone. */
async function showPassage(
  env: Env,
  db: Database,
  { userId, entryId, documentId, from, to }: Wanted,
): Promise<ResponseOf<typeof readPassage>> {
  const [usable] = await usableKnowledge(db, userId, [entryId]);
  const isHidden = usable?.hiddenIds.includes(documentId) ?? true;
  const shown = isHidden ? null : await indexOf(env, entryId).show({ documentId, start: from, end: to });
  const [first, last] = [shown?.passages[0], shown?.passages.at(-1)];
  if (!usable || !shown || !first || !last)
    throw new AppError("NOT_FOUND", { message: "This passage is not there any more, or not yours to see." });
  const { id, name, pages } = shown.document;
  return {
    context: { id: entryId, name: usable.entry.name },
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
