import type { Env } from "#worker/platform/env.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { findMessage } from "./messages.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const keeping = loadOnce(() => import("#worker/library/artifacts/save-report.ts"));

/** Lets a deep research that was done end in an artifact too. */
export async function saveResearchReport(env: Env, sql: SqlStorage, { replyId, request }: StoredTurn): Promise<void> {
  if (!strategyOf(request).isBackground || !request.sources.includes("artifacts")) return;
  const answer = findMessage(sql, replyId);
  if (answer?.status !== "done" || answer.content.trim() === "") return;
  const question = answer.parent_id === null ? null : findMessage(sql, answer.parent_id);
  const { saveReportAsArtifact: keepReport } = await keeping();
  await keepReport(env, {
    userId: request.reader.userId,
    chatId: request.chatId,
    messageId: replyId,
    modelId: answer.model_id ?? request.model.requestedId,
    question: question?.content ?? "",
    content: answer.content,
  });
}
