/** What a chat's room can be asked about its mails; the object is conversation/chat-room. */
import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { PersonRoom } from "#worker/people/room/room.ts";
import type { Admission, MailReminder, MailReturn, MailSender, ReadMail, ReadRoomMail, RoomMail, Taken } from "./room-mail.ts";

/** What a person answered to a mail that asked for their word. */
export type ApprovalAnswer = { kind: "approve" | "discard" } | { kind: "change"; text: string };
/** A person's answer to the mail about a waiting call; `identity` recognises the same mail when it comes again. */
export type AnswerInput = { token: string; userId: string; answer: ApprovalAnswer; identity: string };
/** `repeat`: the same mail was taken before. `stale`: the call was decided already, `reason` is how, as a sentence. */
export type AnswerOutcome = { kind: "done" | "repeat" | "unknown" } | { kind: "stale"; title: string; reason: string };

/** A chat's room, as far as it keeps mails. */
export interface MailRoom extends PersonRoom {
  /** A page of the chat's mails, newest first and of each the beginning of its text, for those who may see addresses. */
  listMails(reader: Reader, page: { before: number | null; limit: number }): Promise<Outcome<{ mails: RoomMail[]; next: number | null }>>;
  /** One mail with its whole text and what became of it, for the same. */
  readMail(reader: Reader, id: string): Promise<Outcome<ReadRoomMail>>;
  /** Whether a mail of this sender may come in now. */
  admitMail(sender: MailSender, perHour: number): Promise<Admission>;
  /** Notes a mail whose source is stored, once for each of its deliveries. */
  takeMail(mail: Omit<RoomMail, "state">, how: { sender: MailSender; perHour: number }): Promise<Taken>;
  /** A mail whose source is still to be read, and who pays for what it carries; null where there is nothing to do. */
  mailToRead(id: string): Promise<{ mail: RoomMail; ownerId: string } | null>;
  /** Keeps what was found in a mail's source, once. */
  keepReadMail(id: string, read: ReadMail): Promise<void>;
  /** Allows or blocks the sender of a mail. */
  decideSender(reader: Reader, id: string, decision: SenderDecision): Promise<Outcome<RoomMail>>;
  /** Answers a mail by the reply that it caused, once. */
  answerMail(answered: { mailId: string; replyId: string }): Promise<void>;
  /** Notes that a mail of this chat came back. */
  noteReturn(mailReturn: MailReturn): Promise<void>;
  /** Waits for an answer to a mail until then, in epoch milliseconds; with null no longer. */
  remind(reader: Reader, input: { mailId: string; by: number | null; note: string }): Promise<Outcome<null>>;
  /** When somebody is reminded of a mail, null for no time. */
  reminderOf(reader: Reader, mailId: string): Promise<Outcome<MailReminder | null>>;
  /** Sends a draft, or a mail that failed once more, for the person in whose name it goes out; one that is not wanted waits no longer. */
  sendMail(reader: Reader, id: string, isWanted: boolean): Promise<Outcome<RoomMail>>;
  /** True where a mail about a call asked this person, who may decide still. */
  hasAsked(question: Pick<AnswerInput, "token" | "userId">): Promise<boolean>;
  /** Takes the answer to a mail about a waiting call, from the person who is proven to have written it. */
  answerApproval(input: AnswerInput): Promise<AnswerOutcome>;
  /** Empties a room that nothing was written to, whose id is free again; true as well where none was created. */
  dropEmpty(): Promise<boolean>;
}

/** The room of a chat; `hint` says where it is best made. */
export function roomOf(env: Env, chatId: string, hint?: DurableObjectNamespaceGetDurableObjectOptions): DurableObjectStub<MailRoom> {
  return stubOf<MailRoom>(env.CHAT_ROOM, chatId, hint);
}
