import * as z from "zod";
import { sendJson, startServer, untilDisconnected, type Exchange, type Handler, type Simulator } from "../simulator.ts";
import { type Conversation, createConversations, type PhoneMessage } from "./conversations.ts";
import { type GraphError, graphError, Outgoing, refuseTemplate, Status, TEMPLATES } from "./graph-messages.ts";
import { Action, performAction } from "./phone-actions.ts";
import { phonePage } from "./phone-page/serve.ts";
import { createWebhooks } from "./webhooks.ts";
import { defineService } from "../definition.ts";

/** `secret` signs webhooks, which go to `webhookUrl` where one is given; else they are kept until they are fetched. */
export type WhatsappOptions = { port?: number; secret?: string; phoneNumberId?: string; webhookUrl?: string };

/** The app's stand-in, and where it posts its webhooks to from now on. */
export type WhatsappSimulator = Simulator & { setWebhook(url: string): void };

const WINDOW_MS = 24 * 3_600_000;
const TYPING_MS = 25_000;
const VERSION = /^\/v\d+\.\d+\//;

/** What goes wrong next, for one number: at once, or later in a status; `lost` takes a message and loses the answer. */
const Fault = z.strictObject({
  number: z.string(),
  fault: z.union([z.int(), z.enum(["lost", "hang"])]).nullable(),
  at: z.enum(["send", "status"]).default("send"),
  times: z.int().min(1).default(1),
});
type Fault = z.infer<typeof Fault>;

const Numbered = z.object({ number: z.string() });
const Window = z.strictObject({ number: z.string(), is_open: z.boolean() });

/** Starts the app's stand-in on loopback: Meta's Cloud API on one side, and phones under `/dev/phone/` on the other. */
export async function startWhatsapp(options: WhatsappOptions = {}): Promise<WhatsappSimulator> {
  const { secret = "simulated", phoneNumberId = "106540352242922", webhookUrl } = options;
  const conversations = createConversations();
  const webhooks = createWebhooks({ secret, phoneNumberId, url: webhookUrl ?? null });
  const faults = new Map<string, Fault>();
  let origin = "";

  function faultOf(waId: string, at: Fault["at"]): Fault["fault"] {
    const fault = faults.get(waId);
    if (!fault || fault.at !== at || fault.times === 0) return null;
    fault.times -= 1;
    return fault.fault;
  }

  function contactOf({ name, wa_id, user_id }: Conversation, isHidden = false) {
    return { profile: { name }, ...(!isHidden && { wa_id }), user_id };
  }

  function tellStatus(
    conversation: Conversation,
    message: PhoneMessage,
    { opaque, code }: { opaque: string | undefined; code?: number },
  ): void {
    const errors = code === undefined ? undefined : [describeError(graphError(code))];
    const status = {
      id: message.id,
      status: message.status,
      timestamp: seconds(Date.now()),
      recipient_id: conversation.wa_id,
      ...(opaque !== undefined && { biz_opaque_callback_data: opaque }),
      ...(errors && { errors }),
    };
    webhooks.send(conversation.wa_id, { contacts: [contactOf(conversation)], statuses: [status] });
  }

  const opaques = new Map<string, string>();

  function takeMessage(conversation: Conversation, outgoing: Outgoing): PhoneMessage {
    const message = conversations.add(conversation, {
      from: "business",
      ...shownOf(outgoing),
      reply_to: outgoing.context?.message_id ?? null,
    });
    conversation.typing_until = 0;
    const opaque = outgoing.biz_opaque_callback_data;
    if (opaque !== undefined) opaques.set(message.id, opaque);
    const code = faultOf(conversation.wa_id, "status");
    if (typeof code === "number") {
      message.status = "failed";
      message.error = graphError(code).details;
      tellStatus(conversation, message, { opaque, code });
      return message;
    }
    for (const status of ["sent", "delivered"] as const) {
      message.status = status;
      tellStatus(conversation, message, { opaque });
    }
    return message;
  }

  const post: Handler = async ({ record, response, disconnected }) => {
    const status = Status.safeParse(record.body);
    if (status.success) {
      const found = conversations.find(status.data.message_id);
      if (!found) return refuse(response, graphError(100, "The message does not exist."));
      found.message.status = "read";
      if (status.data.typing_indicator) found.conversation.typing_until = Date.now() + TYPING_MS;
      return sendJson(response, 200, { success: true });
    }
    const parsed = Outgoing.safeParse(record.body);
    if (!parsed.success) return refuse(response, graphError(100, z.prettifyError(parsed.error)));
    const { to, recipient } = parsed.data;
    const conversation = to === undefined ? conversations.all().find(({ user_id: id }) => id === recipient) : conversations.of(to);
    if (!conversation) return refuse(response, graphError(100, "Nobody to send to."));
    const fault = faultOf(conversation.wa_id, "send");
    if (fault === "hang") return untilDisconnected(disconnected);
    if (typeof fault === "number") return refuse(response, graphError(fault));
    const refused = parsed.data.type === "template" ? refuseTemplate(parsed.data.template) : null;
    if (refused) return refuse(response, refused);
    if (parsed.data.type !== "template" && conversation.window_until < Date.now()) return refuse(response, graphError(131047));
    const message = takeMessage(conversation, parsed.data);
    if (fault === "lost") return refuse(response, graphError(131000));
    const { wa_id: waId, user_id: userId } = conversation;
    sendJson(response, 200, {
      messaging_product: "whatsapp",
      contacts: [{ input: to ?? recipient, wa_id: waId, user_id: userId }],
      messages: [{ id: message.id, message_status: "accepted" }],
    });
  };

  const graph: Handler = (exchange) => {
    const { record, response, url } = exchange;
    if (!/^Bearer \S+$/.test(record.headers["authorization"] ?? "")) return refuse(response, graphError(190));
    if (url.pathname.startsWith("/media/")) return sendMedia(exchange, url.pathname.slice("/media/".length));
    const path = url.pathname.replace(VERSION, "/");
    if (record.method === "POST" && path === `/${phoneNumberId}/messages`) return post(exchange);
    if (record.method === "POST" && path === `/${phoneNumberId}/media`) return uploadMedia(exchange);
    const media = record.method === "GET" ? conversations.media(path.slice(1)) : null;
    if (!media) return refuse(response, { ...graphError(100), status: 404, details: "Unsupported request." });
    const { id, mime_type, bytes, size = bytes.length } = media;
    sendJson(response, 200, {
      messaging_product: "whatsapp",
      url: `${origin}/media/${id}`,
      mime_type,
      sha256: "",
      file_size: size,
      id,
    });
  };

  function sendMedia({ response }: Exchange, id: string): void {
    const media = conversations.media(id);
    if (!media) return refuse(response, { ...graphError(100), status: 404 });
    response.writeHead(200, { "content-type": media.mime_type, "content-length": media.bytes.length });
    response.end(media.bytes);
  }

  async function uploadMedia({ record, response, body }: Exchange): Promise<void> {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": record.headers["content-type"] ?? "" } }).formData();
    const file = form.get("file");
    if (!(file instanceof File)) return refuse(response, graphError(100));
    const { id } = conversations.storeMedia({ mime_type: file.type, filename: file.name, bytes: Buffer.from(await file.arrayBuffer()) });
    sendJson(response, 200, { id });
  }

  const send: Handler = ({ record, response }) => {
    const parsed = Action.safeParse(record.body);
    if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    const action = parsed.data;
    const conversation = conversations.of(action.number);
    if (action.name !== undefined) conversation.name = action.name;
    const posted = performAction(conversations, conversation, action);
    if (!posted) return sendJson(response, 404, { message: "There is no such message." });
    const { wa_id: from, user_id: fromUser } = conversation;
    conversation.window_until = Date.now() + WINDOW_MS;
    const timestamp = action.timestamp === undefined ? seconds(Date.now()) : String(action.timestamp);
    const message = { ...(!action.is_hidden && { from }), from_user_id: fromUser, id: posted.id, timestamp, ...posted.fields };
    webhooks.send(from, { contacts: [contactOf(conversation, action.is_hidden)], messages: [message] }, () => {
      const sent = conversations.find(posted.id)?.message;
      if (sent?.status === "sent") sent.status = "delivered";
    });
    sendJson(response, 200, { id: posted.id });
  };

  /** A handler about the conversation that the body or the address names. */
  const about =
    (handle: (conversation: Conversation, exchange: Exchange) => void): Handler =>
    (exchange) => {
      const { record, response } = exchange;
      const parsed = Numbered.safeParse(record.method === "GET" ? record.query : record.body);
      if (!parsed.success) return sendJson(response, 400, { message: "A number is needed." });
      return handle(conversations.of(parsed.data.number), exchange);
    };

  const simulator = await startServer({
    name: "whatsapp",
    port: options.port,
    routes: {},
    fallback: graph,
    control: {
      ...phonePage(),
      "GET /dev/phone/conversations": ({ response }) => sendJson(response, 200, conversations.all().map(shownConversation)),
      "GET /dev/phone/conversation": about((conversation, { response }) => sendJson(response, 200, shownConversation(conversation))),
      "GET /dev/phone/media": (exchange) => sendMedia(exchange, exchange.url.searchParams.get("id") ?? ""),
      "GET /dev/phone/deliveries": about(({ wa_id: waId }, { response }) => sendJson(response, 200, webhooks.take(waId))),
      "POST /dev/phone/send": send,
      "POST /dev/phone/read": about((conversation, { response }) => {
        const unread = conversation.messages.filter(
          ({ from, status }) => from === "business" && (status === "sent" || status === "delivered"),
        );
        for (const message of unread) {
          message.status = "read";
          tellStatus(conversation, message, { opaque: opaques.get(message.id) });
        }
        sendJson(response, 200, {});
      }),
      "POST /dev/phone/window": ({ record, response }) => {
        const parsed = Window.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
        conversations.of(parsed.data.number).window_until = parsed.data.is_open ? Date.now() + WINDOW_MS : 0;
        sendJson(response, 200, {});
      },
      "POST /dev/phone/fault": ({ record, response }) => {
        const parsed = Fault.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
        faults.set(parsed.data.number.replaceAll(/\D/g, ""), parsed.data);
        sendJson(response, 200, {});
      },
    },
  });
  ({ origin } = new URL(simulator.url));
  return {
    ...simulator,
    setWebhook: (url) => webhooks.setUrl(url),
    onServed: (workerUrl) => webhooks.setUrl(`${workerUrl}/api/whatsapp/webhook`),
  };
}

function shownConversation({ typing_until: typing, window_until: until, ...conversation }: Conversation) {
  return { ...conversation, is_typing: typing > Date.now(), is_window_open: until > Date.now() };
}

/** What the app shows of a message that the business sent. */
function shownOf(outgoing: Outgoing): Pick<PhoneMessage, "type"> & Partial<PhoneMessage> {
  if (outgoing.type === "text") return { type: "text", text: outgoing.text.body };
  if (outgoing.type === "template") {
    const { name, components } = outgoing.template;
    const parameters = components.filter(({ type }) => type === "body").flatMap((one) => one.parameters.map(({ text }) => text));
    return { type: "template", text: TEMPLATES[name]?.says(parameters) ?? name, template: { name, parameters } };
  }
  const { interactive } = outgoing;
  if (interactive.type === "button") {
    return { type: "interactive", text: interactive.body.text, buttons: interactive.action.buttons.map(({ reply }) => reply) };
  }
  const rows = interactive.action.sections.flatMap((section) => section.rows.map((row) => ({ description: "", ...row })));
  return { type: "interactive", text: interactive.body.text, list: { button: interactive.action.button, rows } };
}

function describeError({ code, message, details }: GraphError) {
  return { code, title: message, message, error_data: { details } };
}

function refuse(response: Exchange["response"], { status, code, message, details }: GraphError): void {
  const error = { message, type: "OAuthException", code, error_data: { messaging_product: "whatsapp", details }, fbtrace_id: "AbCdEf" };
  sendJson(response, status, { error });
}

function seconds(ms: number): string {
  return String(Math.floor(ms / 1_000));
}

const CANARIES = {
  WHATSAPP_TOKEN: "canary-whatsapp-token",
  WHATSAPP_APP_SECRET: "canary-whatsapp-app-secret",
  WHATSAPP_VERIFY_TOKEN: "canary-whatsapp-verify-token",
};

/** The messaging app. */
export const whatsapp = defineService({
  start: startWhatsapp,
  vars: (url) => ({
    WHATSAPP_URL: url,
    WHATSAPP_TOKEN: "simulated",
    WHATSAPP_PHONE_NUMBER_ID: "106540352242922",
    WHATSAPP_APP_SECRET: "simulated",
    WHATSAPP_VERIFY_TOKEN: "simulated",
    WHATSAPP_NUMBER: "+15550001111",
    WHATSAPP_SIMULATED: "true",
  }),
  realWith: ["WHATSAPP_TOKEN"],
  row: {
    title: "Messaging app",
    simulated: () => "phones that exist only here",
    real: () => "WhatsApp",
    page: "/dev/phone",
    makeReal: "WHATSAPP_TOKEN and the others of docs/configuration.md",
  },
  inTests: { options: { secret: CANARIES.WHATSAPP_APP_SECRET }, canaries: CANARIES },
});
