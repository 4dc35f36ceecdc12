import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod/mini";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { linkNumber } from "#worker/people/messaging-number/messaging-number.ts";
import { until } from "./until.ts";
import { type Person, signIn, visit } from "./worker.ts";

/** A message as the simulated phone shows it. */
const Bubble = z.object({
  id: z.string(),
  from: z.string(),
  type: z.string(),
  text: z.string(),
  reply_to: z.nullable(z.string()),
  status: z.string(),
  buttons: z.array(z.object({ id: z.string(), title: z.string() })),
  list: z.nullable(z.object({ rows: z.array(z.object({ id: z.string(), title: z.string() })) })),
  template: z.nullable(z.object({ name: z.string(), parameters: z.array(z.string()) })),
});
export type Bubble = z.infer<typeof Bubble>;

const Conversation = z.object({ is_typing: z.boolean(), messages: z.array(Bubble) });
const Deliveries = z.array(z.object({ body: z.string(), signature: z.string() }));
const Sent = z.object({ id: z.string() });

/** One post of the app to the Worker. */
export type Post = { body: string; signature: string };

/** Somebody's phone, and the app between it and the Worker. */
export type Phone = {
  number: string;
  /** Does something on the phone and has it posted to the Worker; returns the message's id. */
  send(action: Record<string, unknown>): Promise<string>;
  /** The same without posting: returns the posts. */
  hold(action: Record<string, unknown>): Promise<{ id: string; posts: Post[] }>;
  /** Posts to the Worker what has happened since, statuses too. */
  tell(): Promise<void>;
  /** What the business wrote, in order. */
  answers(): Promise<Bubble[]>;
  /** The business's message that comes as number so many, counted from 1. */
  answer(count: number): Promise<Bubble>;
  isTyping(): Promise<boolean>;
  /** Reads what came. */
  read(): Promise<void>;
  /** The posts that were not sent yet. */
  take(): Promise<Post[]>;
  fault(fault: Record<string, unknown>): Promise<void>;
  setWindow(isOpen: boolean): Promise<void>;
};

/** Posts to the webhook as the app does. */
export async function post({ body, signature }: Post): Promise<Response> {
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
  return visit("/api/whatsapp/webhook", { method: "POST", headers, body });
}

/** A phone with a number that no other test has. */
export function newPhone(): Phone {
  const number = `+1415${crypto.getRandomValues(new Uint32Array(1))[0]?.toString().padStart(10, "0").slice(0, 10)}`;

  async function ask(path: string, body?: unknown): Promise<unknown> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${env.WHATSAPP_SIMULATOR}/dev/phone/${path}`, body === undefined ? {} : init);
    if (!answer.ok) throw new Error(`The phone answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  const conversation = async () => Conversation.parse(await ask(`conversation?number=${encodeURIComponent(number)}`));
  const take = async () => Deliveries.parse(await ask(`deliveries?number=${encodeURIComponent(number)}`));

  async function hold(action: Record<string, unknown>) {
    await tell();
    const { id } = Sent.parse(await ask("send", { number, ...action }));
    return { id, posts: await take() };
  }

  async function tell(): Promise<void> {
    for (const one of await take()) {
      const answer = await post(one);
      if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
      await answer.arrayBuffer();
    }
  }

  const answers = async () => (await conversation()).messages.filter(({ from }) => from === "business");

  return {
    number,
    hold,
    tell,
    answers,
    take,
    read: async () => void (await ask("read", { number })),
    async send(action) {
      const { id, posts } = await hold(action);
      for (const one of posts) {
        const answer = await post(one);
        if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
        await answer.arrayBuffer();
      }
      return id;
    },
    answer: (count) => until(`answer ${count} on the phone`, async () => (await answers())[count - 1]),
    isTyping: async () => (await conversation()).is_typing,
    fault: async (fault) => void (await ask("fault", { number, ...fault })),
    setWindow: async (isOpen) => void (await ask("window", { number, is_open: isOpen })),
  };
}

/** Somebody who has linked their phone. */
export async function linkedPhone(): Promise<{ person: Person; phone: Phone }> {
  const person = await signIn();
  const phone = newPhone();
  await linkNumber(openDatabase(env.DB), { userId: person.user.id, phone: phone.number });
  return { person, phone };
}

/** The business's message of this number, for whose picture the time passes that it waits for others. */
export async function answerToPicture(person: Person, phone: Phone, count: number): Promise<Bubble> {
  return until(`answer ${count} on the phone`, async () => {
    const { chats } = await person.take(listChats, { query: { view: "all" } });
    for (const { id } of chats) await endAlbum(id);
    return (await phone.answers())[count - 1];
  });
}

async function endAlbum(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  const isMoved = await runInDurableObject(room, (_, { storage }) => {
    if (storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'due_work'").toArray().length === 0) return false;
    return storage.sql.exec("UPDATE due_work SET due_at = 1 WHERE id LIKE 'begin:%' RETURNING id").toArray().length > 0;
  });
  if (isMoved) await runDurableObjectAlarm(room);
}

/** Posts a webhook of this value, signed as the app does. */
export async function postValue(value: Record<string, unknown>, signWith = env.WHATSAPP_APP_SECRET ?? ""): Promise<Response> {
  return postValues([value], signWith);
}

/** The same with an entry for each value. */
export async function postValues(values: Record<string, unknown>[], signWith = env.WHATSAPP_APP_SECRET ?? ""): Promise<Response> {
  const metadata = { phone_number_id: env.WHATSAPP_PHONE_NUMBER_ID };
  const entry = values.map((value) => ({ id: "1", changes: [{ field: "messages", value: { metadata, ...value } }] }));
  const body = JSON.stringify({ object: "whatsapp_business_account", entry });
  return post({ body, signature: await sign(body, signWith) });
}

/** The signature of a body as its header has it. */
export async function sign(body: string, secret: string): Promise<string> {
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(body)));
  return `sha256=${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
