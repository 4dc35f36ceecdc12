import { openDatabase } from "#worker/db/client.ts";
import type { Env } from "#worker/env.ts";
import { chatAddress } from "#worker/mail/address.ts";
import type { ChatMails } from "#worker/tools/tool.ts";
import { readChat } from "../chat.ts";
import { fileFor } from "../messages/attachments.ts";
import { findMail, listMails } from "./mail-rows.ts";
import type { Outgoing } from "./outgoing.ts";
import { hasWrittenTo, suppressedHere } from "./outgoing-rows.ts";

/** The room's mails as tools read and write them. */
export function openMails(
  env: Env,
  sql: SqlStorage,
  { keepDraft, send, remind }: Pick<Outgoing, "keepDraft" | "send"> & Pick<ChatMails, "remind">,
): ChatMails {
  return {
    address: () => chatAddress(env, openDatabase(env.DB), readChat(sql).id),
    list: (page) => listMails(sql, page),
    find: (id) => findMail(sql, id),
    findFile: (id, userId) => fileFor(sql, { id, userId }),
    hasWrittenTo: (address) => hasWrittenTo(sql, address),
    isSuppressed: (address) => suppressedHere(sql, [address]).length > 0,
    keepDraft,
    send,
    remind,
  };
}
