import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { startWhatsapp, type WhatsappSimulator } from "./whatsapp/server.ts";

const NUMBER = "14155550123";
const Id = z.object({ id: z.string() });
const Conversation = z.object({
  is_typing: z.boolean(),
  messages: z.array(z.looseObject({ id: z.string(), from: z.string(), type: z.string(), text: z.string(), status: z.string() })),
});

async function start(): Promise<WhatsappSimulator> {
  const simulator = await startWhatsapp({ secret: "s", phoneNumberId: "1" });
  onTestFinished(() => simulator.close());
  return simulator;
}

function post({ url }: WhatsappSimulator, path: string, body: object, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function send(simulator: WhatsappSimulator, body: object) {
  const message = { messaging_product: "whatsapp", to: NUMBER, ...body };
  return post(simulator, "/v23.0/1/messages", message, { authorization: "Bearer t" });
}

async function conversation({ url }: WhatsappSimulator) {
  return Conversation.parse(await (await fetch(`${url}/dev/phone/conversation?number=${NUMBER}`)).json());
}

async function codeOf(answer: Response): Promise<number> {
  return z.object({ error: z.object({ code: z.number() }) }).parse(await answer.json()).error.code;
}

test("what a phone sends is posted signed over its bytes, again until it is taken, and delivered then", async () => {
  const simulator = await start();
  const webhookCall = Promise.withResolvers<{ body: string; signature: unknown }>();
  let posts = 0;
  const hook = createServer((request, response) => {
    posts += 1;
    response.statusCode = posts === 1 ? 500 : 200;
    if (posts === 2) webhookCall.resolve(text(request).then((body) => ({ body, signature: request.headers["x-hub-signature-256"] })));
    response.end();
  });
  hook.listen(0, "127.0.0.1");
  await once(hook, "listening");
  onTestFinished(() => void hook.close());
  const address = hook.address();
  simulator.setWebhook(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  await post(simulator, "/dev/phone/send", { number: NUMBER, type: "text", body: "hi" });
  const { body, signature } = await webhookCall.promise;
  expect(signature).toBe(`sha256=${createHmac("sha256", "s").update(body).digest("hex")}`);
  expect(JSON.parse(body)).toMatchObject({
    entry: [{ changes: [{ value: { messages: [{ from: NUMBER, type: "text", text: { body: "hi" } }] } }] }],
  });
  await vi.waitFor(async () => expect((await conversation(simulator)).messages).toMatchObject([{ status: "delivered" }]));
});

test("text is taken inside the window alone, templates always and only as approved", async () => {
  const simulator = await start();
  const hello = { type: "text", text: { body: "hello" } };
  const parameters = [{ type: "text", text: "123456" }];
  const template = (components: object[]) => ({
    type: "template",
    template: { name: "verification_code", language: { code: "en_US" }, components },
  });
  expect(await codeOf(await send(simulator, hello))).toBe(131047);
  expect(await codeOf(await send(simulator, template([{ type: "body", parameters }])))).toBe(132000);
  const completeTemplate = template([
    { type: "body", parameters },
    { type: "button", sub_type: "url", index: "0", parameters },
  ]);
  expect((await send(simulator, completeTemplate)).status).toBe(200);
  await post(simulator, "/dev/phone/send", { number: NUMBER, type: "text", body: "hi" });
  expect((await send(simulator, hello)).status).toBe(200);
  expect(await codeOf(await send(simulator, { type: "text", text: { body: "x".repeat(4_097) } }))).toBe(100);
  expect(await codeOf(await post(simulator, "/v23.0/1/messages", {}))).toBe(190);
  await post(simulator, "/dev/phone/fault", { number: NUMBER, fault: 130429 });
  expect(await codeOf(await send(simulator, hello))).toBe(130429);
  const { messages } = await conversation(simulator);
  expect(messages.map((message) => [message.from, message.type, message.status])).toEqual([
    ["business", "template", "delivered"],
    ["phone", "text", "sent"],
    ["business", "text", "delivered"],
  ]);
});

test("buttons are pressed, files fetched with the token, and typing ends with the answer", async () => {
  const simulator = await start();
  const sent = Id.parse(await (await post(simulator, "/dev/phone/send", { number: NUMBER, type: "audio", say: "hello" })).json());
  await post(
    simulator,
    "/v23.0/1/messages",
    { messaging_product: "whatsapp", status: "read", message_id: sent.id, typing_indicator: { type: "text" } },
    { authorization: "Bearer t" },
  );
  expect((await conversation(simulator)).is_typing).toBe(true);
  const action = { buttons: [{ type: "reply", reply: { id: "yes", title: "Yes" } }] };
  await send(simulator, { type: "interactive", interactive: { type: "button", body: { text: "Sure?" }, action } });
  const { is_typing: isTyping, messages } = await conversation(simulator);
  expect(isTyping).toBe(false);
  await post(simulator, "/dev/phone/send", { number: NUMBER, type: "press", message_id: messages.at(-1)?.id, id: "yes" });
  const deliveries = await (await fetch(`${simulator.url}/dev/phone/deliveries?number=${NUMBER}`)).json();
  const Delivery = z.array(z.object({ body: z.string() }));
  const bodies = Delivery.parse(deliveries).map(({ body }) => body);
  expect(bodies.at(-1)).toContain('"button_reply":{"id":"yes","title":"Yes"}');
  const media = /"audio":\{"id":"(\d+)"/.exec(bodies[0] ?? "")?.[1] ?? "";
  const described = await (await fetch(`${simulator.url}/v23.0/${media}`, { headers: { authorization: "Bearer t" } })).json();
  const { url } = z.object({ url: z.string() }).parse(described);
  expect((await fetch(url)).status).toBe(401);
  expect(await (await fetch(url, { headers: { authorization: "Bearer t" } })).text()).toContain("say hello");
});
