import { syncTitle } from "../chats/chats.ts";
import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";
import { levelOf } from "./access.ts";
import { chargesOf, dropCharges } from "./charges.ts";
import { readChat, toRow } from "./chat.ts";
import type { Target } from "./outbox.ts";
import type { ChatReport } from "./rpc.ts";

/** Tells one target how the chat stands, and a reader's hub what that reader has to pay. Throws where it was not reached. */
export async function sendReport(
  env: Env,
  sql: SqlStorage,
  target: Target,
  { version, news }: Pick<ChatReport, "version" | "news">,
): Promise<void> {
  if (target.kind === "d1") return syncTitle(env, readChat(sql));
  const row = toRow(sql, levelOf(sql, target.userId) ?? "viewer");
  const charges = chargesOf(sql, target.userId, row.id);
  await hubOf(env, target.userId).receive({ row, version, news, charges });
  if (charges.length > 0) dropCharges(sql, charges);
}
