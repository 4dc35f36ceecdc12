import { syncChat } from "../chats/chats.ts";
import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";
import { chargesOf, dropCharges } from "./charges/charges.ts";
import { readChat, readSharedRow } from "./chat.ts";
import { toToolCall } from "../turn/tool-call.ts";
import { levelOf, refuse } from "./access/access.ts";
import { standingOf } from "./access/members.ts";
import { heldAnswers } from "./mails/outgoing-rows.ts";
import { quarantinedMails } from "./mails/quarantine.ts";
import type { Target } from "./outbox.ts";
import { asksByMail } from "./replies/approval-mails.ts";
import { decidedCalls, waitingCalls } from "./replies/tool-rounds.ts";
import type { ChatReport } from "./rpc.ts";

/**
 * Begins a delivery of how the chat stands: to a reader's hub along with what that reader has to pay, which who lost the chat
 * pays too while their list forgets it. What it answers throws where a target was not reached.
 */
export function openDelivery(
  env: Env,
  sql: SqlStorage,
  { version, news }: Pick<ChatReport, "version" | "news">,
): (target: Exclude<Target, { kind: "members" }>) => Promise<void> {
  let read: ReturnType<typeof readSharedRow> | null = null;
  let asked: ReturnType<typeof waitingCalls> | null = null;
  let decided: ReturnType<typeof decidedCalls> | null = null;
  let mails: ReturnType<typeof quarantinedMails> | null = null;
  return async (target) => {
    if (target.kind === "d1") return syncChat(env, readChat(sql));
    const shared = (read ??= readSharedRow(sql));
    const { userId } = target;
    asked ??= waitingCalls(sql);
    decided ??= decidedCalls(sql);
    mails ??= quarantinedMails(sql);
    // Read for each as its turn comes, so whoever lost the chat meanwhile hears nothing of it.
    const standing = standingOf(sql, userId);
    const charges = chargesOf(sql, userId, shared.id);
    const hub = hubOf(env, userId);
    if (standing) {
      const waiting = asked
        .filter(({ call }) => call.approval?.user.id === userId)
        .map(({ replyId, call }) => ({ replyId, call: toToolCall(call), isMailed: asksByMail(env, sql) }));
      const answered = decided.filter(({ approval }) => approval?.user.id === userId).map(toToolCall);
      // Who pays for the answer lets mail in.
      const seen = standing.permissionLevel === "owner" ? mails : [];
      const answers = refuse(levelOf(sql, userId), "mail") === null ? heldAnswers(sql, userId) : [];
      await hub.receive({ row: { ...shared, ...standing }, version, news, charges, waiting, decided: answered, mails: seen, answers });
    } else {
      for (const charge of charges) await hub.charge(charge, charge.callId);
      await hub.remove(shared.id, version);
    }
    if (charges.length > 0) dropCharges(sql, charges);
  };
}
