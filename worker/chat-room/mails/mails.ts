import type { SenderDecision } from "#shared/contracts/mails.ts";
import type { Outcome } from "#worker/app-error.ts";
import type { RoomMail } from "#worker/mail/room-mail.ts";
import type { Reader } from "#worker/turn/request.ts";
import { NOT_FOUND } from "../access/access.ts";
import { findMail } from "./mail-rows.ts";
import { decideSender } from "./decide-sender.ts";
import type { ChatNews } from "../rpc.ts";

type Deps = {
  storage: DurableObjectStorage;
  /** Tells the readers' tabs. */
  tell(news: ChatNews): void;
};

/** The mails of one chat. */
export type Mails = {
  /** Allows or blocks the sender of a mail, for someone who may. */
  decide(reader: Reader, id: string, decision: SenderDecision): Outcome<RoomMail>;
};

/** The mails of one room. */
export function createMails({ storage, tell }: Deps): Mails {
  const { sql } = storage;
  return {
    decide({ userId }, mailId, decision) {
      const decided = storage.transactionSync(() => decideSender(sql, { userId, mailId, decision }));
      if (!decided.ok) return decided;
      tell({ type: "mails.changed" });
      const mail = findMail(sql, mailId);
      return mail ? { ok: true, value: mail } : NOT_FOUND;
    },
  };
}
