import { syncChat } from "#worker/people/owned-chats/owned-chats.ts";
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { pendingChargesOf, dropCharges } from "./charges/charges.ts";
import { readChat, readSharedRow } from "./chat.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { levelOf, refuse } from "./access/access.ts";
import { chatAccessOf } from "./access/members.ts";
import { pendingAnswers } from "./mails/outgoing-rows.ts";
import { quarantinedMails } from "./mails/quarantine.ts";
import type { Target } from "./outbox.ts";
import { asksOutsideApp } from "./replies/approval-mails.ts";
import { decidedCalls, waitingCalls } from "./messages/tool-rounds.ts";
import type { ChatReport } from "#worker/conversation/room/rpc.ts";

/**
 * Begins a delivery of how the chat stands: to a reader's hub along with what that reader has to pay, which who lost the chat
 * pays too while their list forgets it. What it answers throws where a target was not reached.
 */
export function openDelivery(
  env: Env,
  sql: SqlStorage,
  { version, updates }: Pick<ChatReport, "version" | "updates">,
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
    // Read for each as its turn comes, so whoever lost the chat meanwhile is not notified.
    const ownAccess = chatAccessOf(sql, userId);
    const charges = pendingChargesOf(sql, userId, shared.id);
    const hub = hubOf(env, userId);
    if (ownAccess) {
      const waiting = asked
        .filter(({ call }) => call.approval?.user.id === userId)
        .map(({ replyId, call }) => ({ replyId, call: toToolCall(call), isMailed: asksOutsideApp(env, sql) }));
      const answered = decided.filter(({ approval }) => approval?.user.id === userId).map(toToolCall);
      // Who pays for the answer lets mail in.
      const seen = ownAccess.permissionLevel === "owner" ? mails : [];
      const answers = refuse(levelOf(sql, userId), "mail") === null ? pendingAnswers(sql, userId) : [];
      await hub.receive({ row: { ...shared, ...ownAccess }, version, updates, charges, waiting, decided: answered, mails: seen, answers });
    } else {
      for (const charge of charges) await hub.charge(charge, charge.callId);
      await hub.remove(shared.id, version);
    }
    if (charges.length > 0) dropCharges(sql, charges);
  };
}
