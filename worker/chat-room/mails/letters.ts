import type { DueWork } from "#worker/due-work/due-work.ts";
import type { Env } from "#worker/env.ts";
import type { Outcome } from "#worker/app-error.ts";
import type { ChatMails } from "#worker/tools/tool.ts";
import type { TurnRequest } from "#worker/turn/request.ts";
import { openMails } from "./open-mails.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import { createReminders, type Reminders } from "./reminders.ts";

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  due: Pick<DueWork<"mail" | "reminder">, "schedule" | "cancel">;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Notifies the readers' tabs that mails changed; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
  waitUntil(work: Promise<unknown>): void;
};

/** What one room writes by mail, and as tools reach it. */
export type Letters = { outgoing: Outgoing; reminders: Reminders; forTools(): ChatMails };

/** Wires the parts of one room together that write mail. */
export function createLetters({ env, storage, due, begin, notify, waitUntil }: Deps): Letters {
  const outgoing = createOutgoing({
    env,
    storage,
    notify,
    schedule: (mailId, at) => due.schedule("mail", mailId, at),
    cancel: (mailId) => due.cancel("mail", mailId),
    waitUntil,
  });
  const reminders = createReminders({
    env,
    storage,
    schedule: (mailId, at) => due.schedule("reminder", mailId, at),
    cancel: (mailId) => due.cancel("reminder", mailId),
    begin,
    notify,
  });
  return { outgoing, reminders, forTools: () => openMails(env, storage.sql, { ...outgoing, remind: reminders.set }) };
}
