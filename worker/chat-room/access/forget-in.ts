import type { Env } from "#worker/env.ts";
import { rawMailKey } from "#worker/mail/room-mail.ts";
import { readChat, storedTurn } from "../chat.ts";
import type { Room } from "../room-parts.ts";
import { type Forgotten, forgetPerson, sourcesOf } from "./forget-person.ts";

/** Objects that R2 deletes at once. */
const BATCH = 1_000;

/** Ends what a person has under way in a chat and makes them nameless in it. */
export async function forgetIn(env: Env, room: Room, person: Forgotten): Promise<void> {
  const { sql, storage, outbox, turns } = room;
  turns.cut(({ userId }) => userId === person.userId);
  if (storedTurn(sql)?.request.reader.userId === person.userId) await turns.stop();
  // What they have to pay reaches their ledger, whose sums stay with their teams.
  await outbox.deliver();
  const { id: chatId } = readChat(sql);
  const sources = sourcesOf(sql, person).map((object) => rawMailKey(chatId, object));
  for (let next = 0; next < sources.length; next += BATCH) await env.FILES.delete(sources.slice(next, next + BATCH));
  storage.transactionSync(() => {
    forgetPerson(sql, person);
    outbox.mark(room.readers(), { news: [{ type: "person.forgotten" }] });
  });
  await room.access.refresh();
  room.report();
}
