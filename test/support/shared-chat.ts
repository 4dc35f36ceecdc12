import { env } from "cloudflare:workers";
import { listShares, shareChat } from "#shared/contracts/chat/sharing.ts";
import type { ShareLevel } from "#shared/entities/share.ts";
import { startChatAndRead } from "./replies.ts";
import { signIn } from "./worker.ts";

type Person = Awaited<ReturnType<typeof signIn>>;

/** A chat with a first exchange, its owner, and a person for each of these levels. */
export async function startSharedChat<L extends ShareLevel>(levels: readonly L[], content = "say shared words") {
  const owner = await signIn();
  const chat = await startChatAndRead(owner, content);
  const people = new Map<L, Person>();
  for (const level of levels) {
    const person = await signIn();
    await share(owner, chat.chatId, person.email, level);
    people.set(level, person);
  }
  const as = (level: L): Person => people.get(level) ?? owner;
  return { ...chat, owner, as };
}

/** Shares a chat with an address that has an account. */
export function share(by: Person, chatId: string, email: string, permissionLevel: ShareLevel) {
  return by.take(shareChat, { params: { id: chatId }, body: { type: "user", email, permissionLevel } });
}

/** The id of the share that an address has of a chat. */
export async function shareIdOf(by: Person, chatId: string, email: string): Promise<string> {
  const { userShares } = await by.take(listShares, { params: { id: chatId } });
  const found = userShares.find(({ userEmail }) => userEmail === email);
  if (!found) throw new Error(`${email} has no share.`);
  return found.id;
}

/** A team of these people, the first of them its maker and admin. */
export async function makeTeam(name: string, people: readonly Person[]): Promise<string> {
  const id = crypto.randomUUID();
  const at = new Date().toISOString();
  const [maker] = people;
  await env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, ?, ?, ?)")
    .bind(id, name, maker?.user.id ?? "", at)
    .run();
  for (const { user } of people) {
    await env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, ?, ?)")
      .bind(id, user.id, user.id === maker?.user.id ? "admin" : "member", at)
      .run();
  }
  return id;
}
