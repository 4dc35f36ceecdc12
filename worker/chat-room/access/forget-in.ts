import { deleteObjects, fileKey, textKey } from "#worker/attachments/attachment-keys.ts";
import type { Env } from "#worker/env.ts";
import { rawMailKey } from "#worker/mail/room-mail.ts";
import { readChat, storedTurn } from "../chat.ts";
import { resolveCosts } from "../charges/resolve-costs.ts";
import { ownFiles } from "../messages/attachments.ts";
import { noteStored } from "../messages/stored-files.ts";
import type { Room } from "../room-parts.ts";
import { type Forgotten, forgetPerson, sourcesOf } from "./forget-person.ts";

/** Ends what a person has under way in a chat and makes them nameless in it. */
export async function forgetIn(env: Env, room: Room, person: Forgotten): Promise<void> {
  const { sql, storage, outbox, turns } = room;
  turns.cut(({ userId }) => userId === person.userId);
  if (storedTurn(sql)?.request.reader.userId === person.userId) await turns.stop();
  const { id: chatId } = readChat(sql);
  // What they have to pay reaches their ledger, whose sums stay with their teams.
  await resolveCosts(env, sql, chatId);
  await outbox.deliver();
  const files = ownFiles(sql, person.userId).map(({ id, objectId }) => ({ chatId, id, objectId }));
  const keys = [
    ...sourcesOf(sql, person).map((object) => rawMailKey(chatId, object)),
    ...files.flatMap((file) => [fileKey(file), textKey(file)]),
  ];
  await deleteObjects(env.FILES, keys);
  storage.transactionSync(() => {
    forgetPerson(sql, person);
    if (files.length > 0) noteStored(sql);
    outbox.mark(room.readers(), { news: [{ type: "person.forgotten" }] });
  });
  if (files.length > 0) await room.notifyStored();
  await room.access.refresh();
  room.report();
}
