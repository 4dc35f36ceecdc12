import type { ServerResponse } from "node:http";
import * as z from "zod";
import { type Exchange, type Handler, sendJson } from "../simulator.ts";
import { createMailbox, describe, type Mailbox, readRaw, type StoredMessage } from "./mailbox.ts";
import { matches } from "./search.ts";

/** Whose account a token opens and for what; null for a token that is none. */
type TokenReader = (token: string) => { email: string; scopes: readonly string[] } | null;

const faults = ["401", "403-rate", "403-scope", "403-off", "429", "429-long", "500", "503", "html", "lost"] as const;
type Fault = (typeof faults)[number];

const BASE = "/gmail/v1/users/me";
const Control = z.strictObject({ email: z.email(), fault: z.enum(faults).nullable(), times: z.int().optional() });
const Raw = z.looseObject({ raw: z.string().min(1), threadId: z.string().optional() });
const Draft = z.looseObject({ id: z.string().optional(), message: Raw.optional() });

const READ = ["gmail.readonly", "gmail.modify"];
const WRITE = ["gmail.compose", "gmail.modify"];

/** Gmail's API for the server that has the tokens: each account has mail of its own, which is made with the first question. */
export function gmailRoutes(readToken: TokenReader): { control: Record<string, Handler>; fallback: Handler } {
  const mailboxes = new Map<string, Mailbox>();
  const broken = new Map<string, { fault: Fault; times: number }>();

  function mailboxOf(email: string): Mailbox {
    const known = mailboxes.get(email) ?? createMailbox(email);
    mailboxes.set(email, known);
    return known;
  }

  const fallback: Handler = async (exchange) => {
    const { record, response, url } = exchange;
    const token = /^Bearer (.+)$/.exec(record.headers["authorization"] ?? "")?.[1];
    const known = token === undefined ? null : readToken(token);
    if (!known) return refuse(response, 401, "authError", "Invalid Credentials");
    const path = url.pathname.slice(BASE.length);
    const isWriting = record.method === "POST" || path.startsWith("/drafts");
    const scopes = [...(isWriting ? WRITE : READ), ...(path === "/messages/send" ? ["gmail.send"] : [])];
    if (!known.scopes.some((scope) => scopes.some((one) => scope.endsWith(`/auth/${one}`))))
      return refuse(response, 403, "insufficientPermissions", "Request had insufficient authentication scopes.");
    const fault = broken.get(known.email);
    const isFault = fault !== undefined && fault.times > 0;
    if (isFault) fault.times -= 1;
    if (isFault && fault.fault !== "lost") return fail(response, fault.fault);
    const mailbox = mailboxOf(known.email);
    if (isFault) {
      await answer(exchange, mailbox, path, () => undefined);
      return void response.destroy();
    }
    return answer(exchange, mailbox, path, (status, body) => sendJson(response, status, body));
  };

  return {
    fallback,
    control: {
      "POST /control/gmail": ({ record, response }) => {
        const parsed = Control.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { error: z.prettifyError(parsed.error) });
        const { email, fault, times = 1_000 } = parsed.data;
        if (fault === null) broken.delete(email);
        else broken.set(email, { fault, times });
        sendJson(response, 200, {});
      },
      "GET /control/gmail": ({ url, response }) => {
        const { messages, drafts } = mailboxOf(url.searchParams.get("email") ?? "");
        sendJson(response, 200, { messages, drafts });
      },
    },
  };
}

type Send = (status: number, body: unknown) => void;

async function answer({ record, response, url }: Exchange, mailbox: Mailbox, path: string, send: Send): Promise<void> {
  const { messages, drafts } = mailbox;
  const query = url.searchParams;
  const [, kind = "", id = "", , attachmentId = ""] = path.split("/");
  const shown = (message: StoredMessage) => describe(message, query.get("format") ?? "full", query.getAll("metadataHeaders"));
  const inThread = (threadId: string) => messages.filter((message) => message.threadId === threadId).toSorted((a, b) => a.at - b.at);

  if (record.method === "GET" && kind === "profile")
    return send(200, { emailAddress: mailbox.email, messagesTotal: messages.length, threadsTotal: 0, historyId: "100" });

  if (record.method === "GET" && (kind === "messages" || kind === "threads") && id === "") {
    const found = messages.filter((message) => matches(message, query.get("q") ?? "")).toSorted((a, b) => b.at - a.at);
    const ids = kind === "messages" ? found.map((one) => one.id) : [...new Set(found.map(({ threadId }) => threadId))];
    const from = Number(query.get("pageToken") ?? "0");
    const size = Math.min(Number(query.get("maxResults") ?? "100"), 500);
    if (!Number.isInteger(from) || !(size > 0)) return refuse(response, 400, "invalidArgument", "Invalid pageToken");
    const page = ids.slice(from, from + size);
    const next = from + size < ids.length ? { nextPageToken: String(from + size) } : {};
    const entries = page.map((one) => (kind === "threads" ? { id: one, snippet: "", historyId: "100" } : { id: one, threadId: one }));
    return send(200, { ...(page.length > 0 && { [kind]: entries }), ...next, resultSizeEstimate: ids.length });
  }
  if (record.method === "GET" && kind === "threads") {
    const thread = inThread(id);
    if (thread.length > 0) return send(200, { id, historyId: "100", messages: thread.map(shown) });
  }
  const message = messages.find((one) => one.id === id);
  if (record.method === "GET" && kind === "messages" && message) {
    if (attachmentId === "") return send(200, shown(message));
    const file = message.files[Number(attachmentId.split("_")[1])];
    if (file) {
      const data = Buffer.from(file.content, "latin1");
      return send(200, { size: data.length, data: data.toString("base64url") });
    }
  }
  if (record.method === "POST" && path === "/messages/send") return keep(mailbox, record.body, "SENT", { response, send });
  if (record.method === "POST" && path === "/drafts")
    return keep(mailbox, Draft.safeParse(record.body).data?.message, "DRAFT", { response, send });
  if (record.method === "POST" && path === "/drafts/send") {
    const { id: draftId, message: given } = Draft.safeParse(record.body).data ?? {};
    const draft = drafts.find((one) => one.id === draftId);
    if (!draft) return refuse(response, 404, "notFound", "Requested entity was not found.");
    const draftMessage = messages.find((one) => one.id === draft.messageId);
    const raw = given ?? { raw: Buffer.from(draftMessage?.raw ?? "").toString("base64url"), threadId: draftMessage?.threadId };
    await keep(mailbox, raw, "SENT", { response, send });
    drafts.splice(drafts.indexOf(draft), 1);
    if (draftMessage) messages.splice(messages.indexOf(draftMessage), 1);
    return;
  }
  refuse(response, 404, "notFound", "Requested entity was not found.");
}

async function keep(
  mailbox: Mailbox,
  given: unknown,
  label: "SENT" | "DRAFT",
  { response, send }: { response: ServerResponse; send: Send },
) {
  const parsed = Raw.safeParse(given);
  if (!parsed.success) return refuse(response, 400, "invalidArgument", "'raw' RFC822 payload message string is required");
  const { raw, threadId } = parsed.data;
  const message = await readRaw(mailbox, raw, threadId, label);
  if (typeof message === "string") return refuse(response, 400, "invalidArgument", message);
  mailbox.messages.push(message);
  const sent = { id: message.id, threadId: message.threadId, labelIds: message.labelIds };
  if (label === "SENT") return send(200, sent);
  const draft = { id: `r${message.id}`, messageId: message.id };
  mailbox.drafts.push(draft);
  send(200, { id: draft.id, message: sent });
}

function fail(response: ServerResponse, fault: Exclude<Fault, "lost">): void {
  switch (fault) {
    case "401":
      return refuse(response, 401, "authError", "Invalid Credentials");
    case "403-rate":
      return refuse(response, 403, "userRateLimitExceeded", "User Rate Limit Exceeded");
    case "403-scope":
      return refuse(response, 403, "insufficientPermissions", "Insufficient Permission");
    case "403-off":
      return refuse(response, 403, "accessNotConfigured", "Gmail API has not been used in project 1 before or it is disabled.");
    case "429":
      return refuse(response, 429, "rateLimitExceeded", "Too many concurrent requests for user", { "Retry-After": "0" });
    case "429-long":
      return refuse(response, 429, "rateLimitExceeded", "Too many requests", { "Retry-After": "900" });
    case "html":
      return void response.writeHead(502, { "Content-Type": "text/html" }).end("<html>Error 502</html>");
    default:
      return refuse(response, Number(fault), "backendError", "Backend Error");
  }
}

function refuse(response: ServerResponse, code: number, reason: string, message: string, headers: Record<string, string> = {}): void {
  sendJson(response, code, { error: { code, message, errors: [{ domain: "global", reason, message }] } }, headers);
}
