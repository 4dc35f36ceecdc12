import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { canary } from "#test/support/canaries.ts";
import { linkedPhone, newPhone, post, postValue, postValues, sign } from "#test/support/messaging.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Person, visit } from "#test/support/worker.ts";

const PATH = "/api/whatsapp/webhook";
const OFF = { WHATSAPP_TOKEN: undefined };

function textOf(number: string, body: string, more: Record<string, unknown> = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return { from: number.slice(1), id: `wamid.${crypto.randomUUID()}`, timestamp, type: "text", text: { body }, ...more };
}

async function stored(id: string) {
  return env.DB.prepare("SELECT state FROM messaging_messages WHERE id = ?").bind(id).first();
}

async function questions(person: Person): Promise<string[]> {
  const { chats } = await person.take(listChats, { query: { view: "all" } });
  const pages = await Promise.all(chats.map(({ id }) => person.take(listMessages, { params: { id } })));
  return pages.flatMap(({ messages }) => messages.filter(({ role }) => role === "user").map(({ content }) => content));
}

describe("setting the webhook up", () => {
  const address = (token: string, mode = "subscribe") => `${PATH}?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=4711`;

  it("setting the webhook up answers the challenge to who knows the verify token, and nobody else", async () => {
    const answer = await visit(address(canary("WHATSAPP_VERIFY_TOKEN")));
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([200, "text/plain;charset=UTF-8", "4711"]);
    for (const wrong of [address("guess"), address(""), address(canary("WHATSAPP_VERIFY_TOKEN"), "other"), PATH]) {
      expect((await visit(wrong)).status).toBe(403);
    }
  });

  it("setting the webhook up is not there where the app is not set up", async () => {
    expect((await visitWith(OFF, address(canary("WHATSAPP_VERIFY_TOKEN")))).status).toBe(404);
    const body = "{}";
    const headers = { "x-hub-signature-256": await sign(body, canary("WHATSAPP_APP_SECRET")) };
    expect((await visitWith(OFF, PATH, { method: "POST", headers, body })).status).toBe(404);
    const session = await visitWith(OFF, "/api/auth/session");
    expect(await session.json()).toMatchObject({ features: { whatsapp: false } });
  });
});

it("what the app sends is taken with a signature over its very bytes alone", async () => {
  const { phone } = await linkedPhone();
  const { id, posts } = await phone.hold({ type: "text", body: "say hello" });
  const [genuine] = posts;
  if (!genuine) throw new Error("Nothing was sent.");
  const forged = [
    { ...genuine, signature: "" },
    { ...genuine, signature: genuine.signature.replace("sha256=", "") },
    { ...genuine, signature: await sign(genuine.body, "another secret") },
    { ...genuine, body: `${genuine.body} ` },
    { ...genuine, body: genuine.body.replace("say hello", "say other") },
  ];
  for (const one of forged) expect((await post(one)).status).toBe(401);
  expect(await stored(id)).toBeNull();
  expect((await post(genuine)).status).toBe(200);
  expect(await stored(id)).not.toBeNull();
  await phone.answer(1);
});

it("what the app sends is answered once, however often and at once it comes", async () => {
  const { person, phone } = await linkedPhone();
  const { posts } = await phone.hold({ type: "text", body: "say once" });
  const again = [...posts, ...posts, ...posts];
  await Promise.all(again.map(async (one) => expect((await post(one)).status).toBe(200)));
  await phone.answer(1);
  for (const one of again) await post(one);
  await phone.send({ type: "text", body: "say twice" });
  await phone.answer(2);
  expect((await phone.answers()).map(({ text }) => text)).toEqual(["once", "twice"]);
  expect(await questions(person)).toEqual(["say once", "say twice"]);
});

it("what the app sends is put in the order in which it was sent, from several entries of one post", async () => {
  const { person, phone } = await linkedPhone();
  await phone.send({ type: "text", body: "say open" });
  await phone.answer(1);
  const at = Math.floor(Date.now() / 1_000);
  const [first, second, third] = [1, 2, 3].map((n) => textOf(phone.number, `say ${n}`, { timestamp: String(at + n) }));
  expect((await postValues([{ messages: [third] }, { statuses: [] }, { messages: [second, first] }])).status).toBe(200);
  await until("three answers", async () => (await questions(person)).length === 4);
  expect(await questions(person)).toEqual(["say open", "say 1", "say 2", "say 3"]);
});

it("what the app sends is taken as far as it can be read, and only for the own number", async () => {
  const { phone } = await linkedPhone();
  const good = textOf(phone.number, "say read");
  const otherNumber = textOf(phone.number, "say foreign");
  await phone.setWindow(true);
  vi.spyOn(console, "warn").mockReturnValue();
  expect((await postValue({ messages: [{ nonsense: true }, 7, good], statuses: [{ id: 1 }] })).status).toBe(200);
  expect((await postValue({ messages: [otherNumber], metadata: { phone_number_id: "1" } })).status).toBe(200);
  const body = "no JSON";
  expect((await post({ body, signature: await sign(body, canary("WHATSAPP_APP_SECRET")) })).status).toBe(200);
  expect((await phone.answer(1)).text).toBe("read");
  expect(await stored(otherNumber.id)).toBeNull();
});

it("what the app sends is said to be unreadable where it has another shape than is known, and came now where it has no time", async () => {
  const { phone } = await linkedPhone();
  await phone.setWindow(true);
  vi.spyOn(console, "warn").mockReturnValue();
  const odd = textOf(phone.number, "say odd", { text: "words", timestamp: 7e9 });
  expect((await postValue({ messages: [odd] })).status).toBe(200);
  expect((await phone.answer(1)).text).toContain("cannot be read here");
  await postValue({ messages: [textOf(phone.number, "say timeless", { timestamp: "now" })] });
  expect((await phone.answer(2)).text).toBe("timeless");
});

it("what the app sends is theirs again once the app said that their id is another now", async () => {
  const { phone } = await linkedPhone();
  await phone.send({ type: "text", body: "say known" });
  await phone.answer(1);
  const changed = textOf(phone.number, "", { type: "system", text: undefined, system: { type: "user_changed_user_id" } });
  await postValue({ messages: [{ ...changed, from_user_id: "US.new" }] });
  await postValue({ messages: [textOf(phone.number, "say again", { from_user_id: `US.new.${phone.number}` })] });
  expect((await phone.answer(2)).text).toBe("again");
});

it("what the app sends finds a person who hides their number by the app's own id of them", async () => {
  const { phone } = await linkedPhone();
  await phone.send({ type: "text", body: "say known" });
  await phone.answer(1);
  await phone.send({ type: "text", body: "say hidden", is_hidden: true });
  expect((await phone.answer(2)).text).toBe("hidden");
});

it("a number that is not linked is one as well that somebody else has by now, and what is old enough to be a repeat is not taken", async () => {
  const { person, phone } = await linkedPhone();
  await phone.send({ type: "text", body: "say mine" });
  await phone.answer(1);
  const other = textOf(phone.number, "say theirs", { from_user_id: "US.somebody-else" });
  const old = textOf(phone.number, "say old", { timestamp: "1700000000" });
  await postValue({ messages: [other, old] });
  expect((await phone.answer(2)).text).toContain("not linked to an account");
  expect([await stored(other.id), await stored(old.id)]).toEqual([null, null]);
  expect(await questions(person)).toEqual(["say mine"]);
});

it("a number that is not linked hears once how it is, whatever it sends", async () => {
  const phone = newPhone();
  await phone.send({ type: "text", body: "hello" });
  expect((await phone.answer(1)).text).toContain("not linked to an account");
  await phone.send({ type: "audio" });
  await phone.send({ type: "text", body: "hello again" });
  const linked = await linkedPhone();
  await linked.phone.send({ type: "text", body: "say after" });
  await linked.phone.answer(1);
  expect(await phone.answers()).toHaveLength(1);
});

it("the webhook of the app never writes the app's credentials into a log", async () => {
  const { phone } = await linkedPhone();
  const lines: string[] = [];
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...given) => void lines.push(given.join(" ")));
  await phone.fault({ fault: 190 });
  await phone.send({ type: "text", body: "new" });
  expect((await phone.answer(1)).text).toContain("new chat");
  expect(lines.join("\n")).toContain("190");
  for (const secret of [canary("WHATSAPP_TOKEN"), canary("WHATSAPP_APP_SECRET")]) expect(lines.join("\n")).not.toContain(secret);
});
