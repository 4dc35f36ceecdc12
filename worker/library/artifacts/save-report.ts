import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { findUser } from "#worker/people/users/users.ts";
import { makeArtifact } from "./artifacts.ts";
import { isArtifact } from "./access/access.ts";
import { shareWithChatTeam } from "./sharing/share-with-team.ts";
import { notifyReaders } from "./notify.ts";

const TITLE_LENGTH = 120;

type Report = { userId: string; chatId: string; messageId: string; modelId: string; question: string; content: string };

/** Makes a research's report an artifact, once, where the deployment and its person have these on. The report is in its chat whatever becomes of it. */
export async function saveReportAsArtifact(env: Env, { userId, chatId, messageId, modelId, question, content }: Report): Promise<void> {
  if (!configOf(env).hasArtifacts) return;
  try {
    const db = openDatabase(env.DB);
    const person = await findUser(db, userId);
    if (!person || person.anonymous || !person.artifacts_enabled) return;
    const id = await uuidOfName(JSON.stringify(["report", messageId]));
    if (await isArtifact(db, id)) return;
    const author = { userId, model: { modelId, chatId, messageId } };
    const { version } = await makeArtifact(env, db, author, { id, title: titleOf(content, question), content });
    await shareWithChatTeam(db, { artifactId: id, userId, chatId });
    await notifyReaders(env, db, { artifactId: id, version });
  } catch (cause) {
    const isRefused = cause instanceof AppError && (cause.code === "STORAGE_FULL" || cause.code === "RATE_LIMITED");
    if (isRefused) log.warn("a research's report was not made an artifact", { chatId, messageId, code: cause.code });
    else log.error("a research's report was not made an artifact", { chatId, messageId, cause });
  }
}

/** The report's own heading, else the question. */
function titleOf(content: string, question: string): string {
  const heading = /^#{1,3}\s+(.+)$/m.exec(content)?.[1];
  return (heading ?? question).replaceAll(/\s+/g, " ").trim().slice(0, TITLE_LENGTH).toWellFormed();
}
