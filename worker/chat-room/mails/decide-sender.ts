import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import type { Outcome } from "#worker/app-error.ts";
import type { RoomMail } from "#worker/mail/room-mail.ts";
import { findMail, updateMail, waitingFrom } from "./mail-rows.ts";
import { dropRule, setRule } from "./senders.ts";

type Decided = { userId: string; mailId: string; decision: SenderDecision };

/** Decides about the sender of a mail; answers the mails that the chat takes by it. Call it in a transaction. */
export function decideSender(sql: SqlStorage, { userId, mailId, decision }: Decided): Outcome<RoomMail[]> {
  const mail = findMail(sql, mailId);
  if (mail?.direction !== "in") return { ok: false, code: "NOT_FOUND" };
  const address = mail.from_addr;
  const waiting = waitingFrom(sql, address);
  if (decision === "block") {
    setRule(sql, address, { rule: "blocked", userId });
    for (const { id } of waiting) updateMail(sql, id, { state: "blocked" });
    return { ok: true, value: [] };
  }
  const isWaiting = mail.state === "quarantined" || mail.state === "blocked";
  if (decision === "allow_once") {
    if (mail.state === "blocked") dropRule(sql, address);
    return { ok: true, value: take(sql, isWaiting ? [mail] : []) };
  }
  // Anybody can write in another's name: a name that is not proven is allowed once at most.
  if (mail.authentication?.result !== "pass") {
    return { ok: false, code: "INVALID_INPUT", message: "This mail is not proven to be from its sender. Allow it once instead." };
  }
  setRule(sql, address, { rule: "allowed", userId });
  const proven = waiting.filter(({ id, authentication }) => id !== mailId && authentication?.result === "pass");
  return { ok: true, value: take(sql, isWaiting ? [mail, ...proven] : proven) };
}

/** What a quarantined mail carries was not kept: it is read again. */
function take(sql: SqlStorage, mails: RoomMail[]): RoomMail[] {
  return mails.map((mail) => {
    const change = { state: "received", is_read: false } as const;
    updateMail(sql, mail.id, change);
    return { ...mail, ...change };
  });
}
