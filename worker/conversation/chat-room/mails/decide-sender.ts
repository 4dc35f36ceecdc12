import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { ownerOf } from "../chat.ts";
import { findMail, updateMail, waitingFrom } from "./mail-rows.ts";
import { noteStored } from "../messages/stored-files.ts";
import { deleteSenderRule, setSenderRule } from "./sender-rules.ts";

type Decided = { userId: string; mailId: string; decision: SenderDecision };

/** What a decision changed: mails that the chat takes by it, and sources that are nobody's any more. */
export type Consequence = { taken: RoomMail[]; unwanted: string[] };

const FOR_OWNER = "Only the owner of this chat lets mail in: they pay for its answer.";

/** Decides about the sender of a mail: whoever may block one, its payer alone lets it in. Call it in a transaction. */
export function decideSender(sql: SqlStorage, { userId, mailId, decision }: Decided): Outcome<Consequence> {
  const mail = findMail(sql, mailId);
  if (mail?.direction !== "in") return { ok: false, code: "NOT_FOUND" };
  if (decision !== "block" && userId !== ownerOf(sql)) return { ok: false, code: "FORBIDDEN", message: FOR_OWNER };
  const address = mail.from_addr;
  const waiting = waitingFrom(sql, address);
  if (decision === "block") {
    setSenderRule(sql, address, { rule: "blocked", userId });
    for (const { id } of waiting) updateMail(sql, id, { state: "blocked", raw_object: null, raw_size: 0 });
    if (waiting.length > 0) noteStored(sql);
    return { ok: true, value: { taken: [], unwanted: waiting.flatMap(({ raw_object: source }) => source ?? []) } };
  }
  const isWaiting = mail.state === "quarantined" || mail.state === "blocked";
  if (decision === "allow_once" || decision === "allow_with_data") {
    if (mail.state === "blocked") deleteSenderRule(sql, address);
    if (isWaiting && decision === "allow_with_data") updateMail(sql, mailId, { with_data_of: userId });
    return { ok: true, value: { taken: take(sql, isWaiting ? [mail] : []), unwanted: [] } };
  }
  // Anybody can write in another's name: a name that is not proven is allowed once at most.
  if (mail.authentication?.result !== "pass") {
    return { ok: false, code: "INVALID_INPUT", message: "This mail is not proven to be from its sender. Allow it once instead." };
  }
  setSenderRule(sql, address, { rule: "allowed", userId });
  const proven = waiting.filter(({ id, authentication }) => id !== mailId && authentication?.result === "pass");
  return { ok: true, value: { taken: take(sql, isWaiting ? [mail, ...proven] : proven), unwanted: [] } };
}

/** What a quarantined mail carries was not kept: it is read again. Of one that was blocked only its text is left. */
function take(sql: SqlStorage, mails: RoomMail[]): RoomMail[] {
  return mails.map((mail) => {
    const change =
      mail.raw_object === null
        ? ({ state: "received", text_body: mail.text_body || mail.subject || NO_TEXT, note: TEXT_ALONE } as const)
        : ({ state: "received", is_read: false, note: null } as const);
    updateMail(sql, mail.id, change);
    return { ...mail, ...change };
  });
}

const NO_TEXT = "(This mail has no text.)";
const TEXT_ALONE = "Its sender was blocked before, so that its source and files were deleted: this is its text alone.";
