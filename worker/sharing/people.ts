import type { ChatPerson } from "#shared/entities/share.ts";
import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { unwrap } from "../app-error.ts";
import { log } from "../log.ts";
import { hubOf } from "../user-hub/stub.ts";
import { listContacts, listMemberships, listVeiledShares, selectFaces } from "./queries.ts";

/** People of one chat that are notified; D1 takes 100 values in a query. */
const PEOPLE = 90;
/** Others who hear of a new name or picture at once; whoever is beyond sees it when they open the chat again. */
const CONTACTS = 100;

/** Who is in a chat, its owner first, for its members; who comes by a restricted team alone is shown to its admins and themselves. Throws NOT_FOUND. */
export async function readPeople(
  env: Env,
  db: Database,
  { caller, chatId }: { caller: Caller; chatId: string },
): Promise<{ people: ChatPerson[] }> {
  const { row } = unwrap(await roomOf(env, chatId).describe(readerOf(caller)));
  const { userId: readerId } = caller;
  const [members, veiled] = await Promise.all([
    listMemberships(db, { chatId, ownerId: row.user_id }),
    listVeiledShares(db, { chatId, userId: readerId }),
  ]);
  const seen = members.filter(({ userId, via }) => userId === readerId || !veiled.includes(via));
  const ids = [...new Set([row.user_id, ...seen.map(({ userId }) => userId)])].slice(0, PEOPLE);
  const faces = new Map((await selectFaces(db, ids)).map((face) => [face.id, face]));
  return { people: ids.flatMap((id) => faces.get(id) ?? []) };
}

/** Notifies those who are in a chat with somebody that they look different now. */
export async function notifyContacts(env: Env, db: Database, userId: string): Promise<void> {
  try {
    const contacts = await listContacts(db, userId, CONTACTS);
    await Promise.all(contacts.map((id) => hubOf(env, id).notePeopleChanged()));
  } catch (cause) {
    // The change is made; others see it with the next chat they open.
    log.warn("others were not notified of a new name or picture", { userId, cause });
  }
}
