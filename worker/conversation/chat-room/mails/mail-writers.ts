import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { ChatMails } from "#worker/conversation/tools/tool.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { Outgoing } from "./outgoing.ts";
import { createReminders, type Reminders } from "./reminders.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { chatAddress } from "#worker/mail/chat-address/address.ts";
import { readChat } from "../chat.ts";
import { readableFile } from "../messages/attachments.ts";
import { findMail, listMails } from "./mail-rows.ts";
import { hasSentTo, suppressedHere } from "./outgoing-rows.ts";

type Deps = {
  env: Env;
  features: Features;
  storage: DurableObjectStorage;
  due: Pick<DueWork<"mail" | "reminder">, "schedule" | "cancel">;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Notifies the readers' tabs that mails changed; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
  waitUntil(work: Promise<unknown>): void;
};

/** What one room writes by mail, and as tools reach it. */
export type MailWriters = { outgoing: Outgoing; reminders: Reminders; forTools(): ChatMails };

/** Wires the parts of one room together that write mail. */
export function createMailWriters({ env, features, storage, due, begin, notify, waitUntil }: Deps): MailWriters {
  const outgoing = new Outgoing({
    env,
    storage,
    notify,
    schedule: (mailId, at) => due.schedule("mail", mailId, at),
    cancel: (mailId) => due.cancel("mail", mailId),
    waitUntil,
  });
  const reminders = createReminders({
    env,
    features,
    storage,
    schedule: (mailId, at) => due.schedule("reminder", mailId, at),
    cancel: (mailId) => due.cancel("reminder", mailId),
    begin,
    notify,
  });
  return { outgoing, reminders, forTools: () => openMails(env, storage.sql, outgoing, reminders) };
}

/** The room's mails as tools read and write them. */
function openMails(env: Env, sql: SqlStorage, outgoing: Outgoing, reminders: Reminders): ChatMails {
  return {
    address: () => chatAddress(env, openDatabase(env.DB), readChat(sql).id),
    list: (page) => listMails(sql, page),
    find: (id) => findMail(sql, id),
    findFile: (id, userId) => readableFile(sql, { id, userId }),
    hasWrittenTo: (address) => hasSentTo(sql, address),
    isSuppressed: (address) => suppressedHere(sql, [address]).length > 0,
    keepDraft: (letter) => outgoing.keepDraft(letter),
    send: (letter) => outgoing.send(letter),
    remind: (request) => reminders.set(request),
  };
}
