import { env } from "cloudflare:workers";
import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listMails } from "#shared/contracts/chat/mails.ts";
import type { Mail } from "#shared/entities/mail.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, signIn, visit } from "#test/support/worker.ts";
import type { Env } from "#worker/platform/env.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { answerMail } from "#worker/mail/outbound/answer.ts";
import { isSignedWebhook } from "#worker/mail/bounces/webhook.ts";
import { readDeliveryReport } from "#worker/mail/bounces/delivery-report.ts";
import worker from "#worker/index.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";

afterEach(() => void vi.restoreAllMocks());

async function outgoing(owner: Person, id: string): Promise<Mail | undefined> {
  return (await owner.take(listMails, { params: { id } })).emails.find(({ direction }) => direction === "out");
}

const untilOut = (owner: Person, chatId: string, state: Mail["state"]) =>
  until(`a mail that is ${state}`, async () => {
    const mail = await outgoing(owner, chatId);
    return mail?.state === state ? mail : null;
  });

/** A chat that has answered a mail of this address. */
async function answered(owner: Person, to: string) {
  const { chatId, messageId, replyId } = await startChatAndRead(owner, "say Yes.");
  const mail = await addMailToRoom(chatId, { from_addr: to, reply_to_addr: [to], turn_id: messageId });
  await answerMail(env, { chatId, mailId: mail.id, replyId });
  const sent = await untilOut(owner, chatId, "sent");
  const providerId = await runInDurableObject(
    env.CHAT_ROOM.getByName(chatId),
    (_, { storage }) => storage.sql.exec<{ provider_id: string }>("SELECT provider_id FROM outgoing_mails").one().provider_id,
  );
  return { chatId, sent, providerId, again: () => answerAgain(owner, { chatId, messageId, replyId, to }) };
}

/** Another mail of the same sender, and what became of its answer. */
async function answerAgain(owner: Person, at: { chatId: string; messageId: string; replyId: string; to: string }): Promise<number> {
  const mail = await addMailToRoom(at.chatId, { from_addr: at.to, reply_to_addr: [at.to], turn_id: at.messageId });
  await answerMail(env, { chatId: at.chatId, mailId: mail.id, replyId: at.replyId });
  return (await owner.take(listMails, { params: { id: at.chatId } })).emails.filter(({ direction }) => direction === "out").length;
}

async function sign(id: string, timestamp: number, body: string): Promise<string> {
  const secret = Uint8Array.from(atob((env.RESEND_WEBHOOK_SECRET ?? "").replace("whsec_", "")), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`)));
  return `v1,${btoa(String.fromCharCode(...bytes))}`;
}

async function notify(event: unknown, { age = 0, signature }: { age?: number; signature?: string } = {}): Promise<number> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  const headers = {
    "svix-id": "msg_1",
    "svix-timestamp": String(timestamp),
    "svix-signature": `v1,AAAA ${signature ?? (await sign("msg_1", timestamp, body))}`,
  };
  return (await visit("/api/mail/webhook", { method: "POST", headers, body })).status;
}

/** A server's report about a mail, as RFC 3464 has it. */
function report(messageId: string | null, to: string, { action = "failed", status = "5.1.1" } = {}): string {
  return [
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Your mail could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    "",
    `Final-Recipient: rfc822; ${to.toUpperCase()}`,
    `Action: ${action}`,
    `Status: ${status}`,
    "Diagnostic-Code: smtp; 550 5.1.1 No such",
    "  mailbox",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${messageId ?? "other@example.org"}>`,
    "Subject: Re: Proof",
    "--b--",
    "",
  ].join("\r\n");
}

const bounce = (chat: string, body: string) =>
  deliver({ from: "MAILER-DAEMON@mx.example.org", envelopeFrom: "", to: chat, subject: "Undelivered", proof: "", body });

it("the mail service's word that a mail bounced stands at that mail, and nothing more is sent there from any chat", async () => {
  const owner = await signIn();
  const to = newAddress();
  const { chatId, sent, providerId, again } = await answered(owner, to);
  const data = { email_id: providerId, from: `Lena via Polylogue <${sent.from_addr}>`, to: [to] };
  const event = { type: "email.bounced", data: { ...data, bounce: { type: "Permanent", message: "Mailbox does not exist" } } };
  expect(await notify(event)).toBe(200);
  expect((await untilOut(owner, chatId, "bounced")).note).toBe(
    `This mail came back from ${to}. Their server said: Mailbox does not exist. Nothing more is sent to ${to}.`,
  );
  expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set([to]));
  expect(await again()).toBe(1);
  expect(await notify({ type: "email.complained", data })).toBe(200);
  expect((await untilOut(owner, chatId, "complained")).note).toMatch(/marked this mail as unwanted/);
});

it("the mail service's word that a mail is late for now keeps nobody from being written to", async () => {
  const owner = await signIn();
  const to = newAddress();
  const { chatId, sent, providerId } = await answered(owner, to);
  const data = { email_id: providerId, from: sent.from_addr, to: [to], bounce: { type: "Transient" } };
  expect(await notify({ type: "email.bounced", data })).toBe(200);
  await untilOut(owner, chatId, "bounced");
  expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set());
});

it("the mail service's word counts by its signature alone, for five minutes", async () => {
  const to = newAddress();
  const event = { type: "email.bounced", data: { email_id: "x", from: "a@example.com", to: [to] } };
  expect(await notify(event, { signature: "v1,Zm9yZ2Vk" })).toBe(401);
  expect(await notify(event, { signature: "" })).toBe(401);
  expect(await notify(event, { age: 301 })).toBe(401);
  expect(await notify(event, { age: -301 })).toBe(401);
  expect((await visit("/api/mail/webhook", { method: "POST", body: JSON.stringify(event) })).status).toBe(401);
  expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set());
  expect(await notify({ type: "email.opened", data: {} })).toBe(200);
  expect(await notify("odd")).toBe(200);
});

it("the mail service's word counts for nothing where the secret is no key", async () => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const known = await crypto.subtle.importKey("raw", new Uint8Array(1), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", known, new TextEncoder().encode(`msg_1.${timestamp}.{}`)));
  const signatures = `v1,${btoa(String.fromCharCode(...bytes))}`;
  for (const secret of ["whsec_", "not-base64!"])
    expect(await isSignedWebhook(secret, { id: "msg_1", timestamp, signatures, body: "{}" }, Date.now())).toBe(false);
});

/** An event of the platform's Email Service as its subscription puts it into the queue. */
function sendingEvent(what: string, payload: Record<string, unknown>) {
  return {
    type: `cf.email.sending.message.${what}`,
    source: { type: "email.sending", zoneId: "z1", domain: "chats.localhost" },
    payload: { eventId: crypto.randomUUID(), subject: "Re: Proof of mine", terminal: true, delivery: { status: what }, ...payload },
    metadata: { accountId: "a1", eventSubscriptionId: "s1", eventSchemaVersion: 1, eventTimestamp: new Date().toISOString() },
  };
}

type Queued = { queue?: string; deployment?: Env };

async function queued(body: object, { queue = "polylogue-jobs", deployment = env }: Queued = {}) {
  const batch = createMessageBatch(queue, [{ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }]);
  await worker.queue(batch, deployment);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { done: explicitAcks.length, again: retryMessages.length };
}

describe("an event of the platform's Email Service", () => {
  const REASON = "550 5.1.1 User unknown";

  it("an event of the platform's Email Service that a mail bounced stands at that mail, once, and nothing more is sent there from any chat", async () => {
    const owner = await signIn();
    const to = newAddress();
    const { chatId, sent, again } = await answered(owner, to);
    const mail = { messageId: `<${sent.message_id}>`, sender: sent.from_addr, recipient: to.toUpperCase() };
    const bounced = sendingEvent("bounced", { ...mail, bounce: { type: "hard", classification: "permanent_failure", reason: REASON } });
    for (let times = 0; times < 2; times += 1) expect(await queued(bounced)).toEqual({ done: 1, again: 0 });
    expect((await untilOut(owner, chatId, "bounced")).note).toBe(
      `This mail came back from ${to}. Their server said: ${REASON}. Nothing more is sent to ${to}.`,
    );
    expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set([to]));
    expect(await again()).toBe(1);
    await queued(sendingEvent("complained", { ...mail, complaint: { type: "abuse" } }));
    expect((await untilOut(owner, chatId, "complained")).note).toMatch(/marked this mail as unwanted/);
  });

  it("an event of the platform's Email Service finds a mail by the id that the binding gave it, whatever form that has", async () => {
    const owner = await signIn();
    const to = newAddress();
    const { chatId, sent } = await answered(owner, to);
    const messageId = `0101018f7d0c4d9a-${crypto.randomUUID()}`;
    await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
      storage.sql.exec("UPDATE outgoing_mails SET provider_id = ?", messageId);
      storage.sql.exec("UPDATE mails SET message_id = NULL WHERE direction = 'out'");
    });
    await queued(sendingEvent("failed", { messageId, sender: sent.from_addr, recipient: to, failure: { reason: "No route" } }));
    expect((await untilOut(owner, chatId, "bounced")).note).toBe(`This mail came back from ${to}. Their server said: No route.`);
    expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set());
  });

  it("an event of the platform's Email Service that a mail arrived or is late, or that is about none of a chat's, is done without a trace", async () => {
    const owner = await signIn();
    const to = newAddress();
    const { chatId, sent } = await answered(owner, to);
    const mail = { messageId: `<${sent.message_id}>`, sender: sent.from_addr, recipient: to };
    for (const event of [
      sendingEvent("delivered", mail),
      sendingEvent("deferred", { ...mail, terminal: false }),
      sendingEvent("bounced", { ...mail, messageId: "<other@chats.localhost>", bounce: { type: "soft" } }),
      sendingEvent("bounced", { ...mail, sender: "hello@polylogue.localhost", bounce: { type: "soft" } }),
    ])
      expect(await queued(event)).toEqual({ done: 1, again: 0 });
    expect((await outgoing(owner, chatId))?.state).toBe("sent");
    expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set());
  });

  it("an event of the platform's Email Service that cannot be worked off is a stuck job like any other, without the mail's subject, and is sent anew as one", async () => {
    const to = newAddress();
    const event = sendingEvent("bounced", { messageId: "<m@x>", sender: "t@chats.localhost", recipient: to, bounce: { type: "hard" } });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const refuse = () => {
      throw new Error("D1 is away");
    };
    const away = deploymentWith({ DB: new Proxy(env.DB, { get: () => refuse }) });
    expect(await queued(event, { deployment: away })).toEqual({ done: 0, again: 1 });
    expect(await queued(event, { queue: "polylogue-jobs-dead" })).toEqual({ done: 1, again: 0 });
    const rows = await env.DB.prepare("SELECT id, kind, payload FROM failed_jobs WHERE instr(payload, ?) > 0").bind(to).all();
    expect(rows.results).toMatchObject([{ kind: "mail.returned" }]);
    expect(JSON.stringify(rows.results)).not.toContain("Proof of mine");
    const [{ kind, payload } = { kind: "", payload: "{}" }] = rows.results;
    expect(await queued({ kind, ...JSON.parse(String(payload)) })).toEqual({ done: 1, again: 0 });
    expect(await suppressedAmong(openDatabase(env.DB), [to])).toEqual(new Set([to]));
  });
});

it("a server's report about a mail of the chat is said at that mail, is no stranger's letter and stops further mail", async () => {
  const owner = await signIn();
  const to = newAddress();
  const { chatId, sent, again } = await answered(owner, to);
  await bounce(await addressOfChat(owner, chatId), report(sent.message_id, to));
  expect((await untilOut(owner, chatId, "bounced")).note).toBe(
    `This mail came back from ${to}. Their server said: 550 5.1.1 No such mailbox. Nothing more is sent to ${to}.`,
  );
  const { emails } = await owner.take(listMails, { params: { id: chatId } });
  expect(emails.filter(({ state }) => state === "quarantined")).toEqual([]);
  expect(await again()).toBe(1);
});

it.each<[string, (id: string | null, to: string) => string]>([
  ["about a mail that is not the chat's", (_id, to) => report(null, to)],
  ["about somebody whom the mail did not go to", (id) => report(id, "other@example.org")],
  ["that a mail is only late", (id, to) => report(id, to, { action: "delayed", status: "4.0.0" })],
])("a server's report: %s changes nothing", async (_name, make) => {
  const owner = await signIn();
  const to = newAddress();
  const { chatId, sent, again } = await answered(owner, to);
  await bounce(await addressOfChat(owner, chatId), make(sent.message_id, to));
  await until("the report to be read", async () => {
    const { emails } = await owner.take(listMails, { params: { id: chatId } });
    return emails.some(({ state, text_body: text }) => state === "quarantined" && text.includes("could not be delivered"));
  });
  expect((await outgoing(owner, chatId))?.state).toBe("sent");
  expect(await again()).toBe(2);
});

it("a server's report is none where its parts are of other kinds", () => {
  expect(readDeliveryReport([{ mimeType: "text/plain", content: "Action: failed\n\nFinal-Recipient: rfc822; a@b.c" }])).toBeNull();
  expect(readDeliveryReport([{ mimeType: "message/delivery-status", content: "Action: failed" }])).toBeNull();
});
