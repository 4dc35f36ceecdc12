import { createHash } from "node:crypto";
import * as z from "zod";
import { sendJson, startServer, untilDisconnected, type Exchange, type Handler, type Simulator } from "../simulator.ts";
import { sendMailboxPage } from "./mailbox-page.ts";
import { readMail, type Mail, type MailError } from "./mail.ts";
import { defineService } from "../definition.ts";

export type MailboxOptions = { port?: number };

/** The mailbox, and what it holds, newest first. */
export type MailboxSimulator = Simulator & { mails(): readonly Mail[] };

const MAILS_MAX = 500;
const BATCH_LIMIT = 100;
const IDEMPOTENCY_KEY_LENGTH = 256;
const IDEMPOTENCY_KEYS_MAX = 1000;

const faults = {
  "422": { statusCode: 422, name: "validation_error", message: "The `to` field is on the suppression list." },
  "401": { statusCode: 401, name: "restricted_api_key", message: "This API key is restricted to only send emails." },
  "403": { statusCode: 403, name: "invalid_api_key", message: "API key is invalid" },
  "429": { statusCode: 429, name: "rate_limit_exceeded", message: "Too many requests. You can only make 2 requests per second." },
  "500": { statusCode: 500, name: "internal_server_error", message: "An unexpected error occurred." },
} as const;

const ADDRESS_FAULT = /^fault-(401|403|422|429|500|lost)(?:-(\d+))?(?:\+[^@]*)?@/;

const Control = z.strictObject({ fault: z.enum(["401", "403", "422", "429", "500", "hang"]).nullable(), times: z.int().min(1).optional() });

/** Starts the mail service's stand-in (Resend's wire format) on loopback; it delivers to itself. */
export async function startMailbox(options: MailboxOptions = {}): Promise<MailboxSimulator> {
  const mails: Mail[] = [];
  const answered = new Map<string, { fingerprint: string; body: unknown }>();
  const faultsMet = new Map<string, number>();
  let fault: { name: keyof typeof faults | "hang"; left: number } | null = null;

  function keep(mail: Mail): void {
    mails.unshift(mail);
    mails.length = Math.min(mails.length, MAILS_MAX);
  }

  async function guarded({ record, response, disconnected, body }: Exchange, send: () => unknown, { isLost = false } = {}): Promise<void> {
    const refusal = refuseCaller(record.headers);
    if (refusal) return sendError(response, refusal);
    if (fault !== null && fault.left > 0) {
      fault.left -= 1;
      if (fault.name === "hang") return untilDisconnected(disconnected);
      return sendError(response, faults[fault.name]);
    }
    const key = record.headers["idempotency-key"];
    const fingerprint = createHash("sha256").update(`${record.path}\n`).update(body).digest("hex");
    const before = key === undefined ? undefined : answered.get(key);
    if (before && before.fingerprint !== fingerprint) {
      return sendError(response, {
        statusCode: 409,
        name: "invalid_idempotent_request",
        message: "Same idempotency key used with a different request payload.",
      });
    }
    if (before) return sendJson(response, 200, before.body);
    const answer = send();
    if (isError(answer)) return sendError(response, answer);
    if (key !== undefined) answered.set(key, { fingerprint, body: answer });
    const oldest = answered.keys().next();
    if (answered.size > IDEMPOTENCY_KEYS_MAX && !oldest.done) answered.delete(oldest.value);
    if (isLost) return sendError(response, faults["500"]);
    return sendJson(response, 200, answer, { "ratelimit-limit": "2", "ratelimit-remaining": "1", "ratelimit-reset": "1" });
  }

  /** What an address asks for: `fault-500@`, `fault-429-2+any@` (twice), `fault-lost-1@` (taken, its answer lost once). */
  function faultBy(addresses: readonly string[]): keyof typeof faults | "lost" | null {
    for (const address of addresses.map(addressOnly)) {
      const [, name = "", times] = ADDRESS_FAULT.exec(address) ?? [];
      const met = (faultsMet.get(address) ?? 0) + 1;
      if (name === "" || met > Number(times ?? Infinity)) continue;
      faultsMet.set(address, met);
      return isFault(name) ? name : "lost";
    }
    return null;
  }

  const sendOne: Handler = async (exchange) => {
    const read = readMail(exchange.record.body);
    const asked = "mail" in read ? faultBy([...read.mail.to, ...read.mail.cc]) : null;
    if (asked !== null && asked !== "lost") return sendError(exchange.response, faults[asked]);
    await guarded(
      exchange,
      () => {
        if ("error" in read) return read.error;
        keep(read.mail);
        return { id: read.mail.id };
      },
      { isLost: asked === "lost" },
    );
  };

  const sendBatch: Handler = (exchange) =>
    guarded(exchange, () => {
      const body = exchange.record.body;
      if (!Array.isArray(body) || body.length === 0 || body.length > BATCH_LIMIT) {
        return { statusCode: 422, name: "validation_error", message: `The batch must hold 1 to ${BATCH_LIMIT} emails.` };
      }
      const reads = body.map(readMail);
      const failed = reads.find((read) => "error" in read);
      if (failed && "error" in failed) return failed.error;
      const sent = reads.flatMap((read) => ("mail" in read ? [read.mail] : []));
      for (const mail of sent) keep(mail);
      return { data: sent.map(({ id }) => ({ id })) };
    });

  const readOne: Handler = ({ record, response }) => {
    const refusal = refuseCaller(record.headers);
    if (refusal) return sendError(response, refusal);
    const mail = record.method === "GET" ? mails.find(({ id }) => `/emails/${id}` === record.path) : undefined;
    if (!mail) return sendError(response, { statusCode: 404, name: "not_found", message: "Email not found" });
    const { id, messageId, to, cc, from, subject, text, html, at, replyTo } = mail;
    sendJson(response, 200, {
      object: "email",
      id,
      to,
      from,
      subject,
      text,
      html,
      cc,
      bcc: [],
      reply_to: replyTo,
      created_at: at,
      last_event: "delivered",
      message_id: messageId,
    });
  };

  const showMailbox: Handler = ({ url, record, response }) => {
    const filter = url.searchParams.get("to");
    const shown =
      filter === null
        ? mails
        : mails.filter(({ to, cc }) => [...to, ...cc].some((address) => addressOnly(address) === filter.trim().toLowerCase()));
    if (!(record.headers["accept"] ?? "").includes("application/json")) return sendMailboxPage(response, shown, filter);
    sendJson(
      response,
      200,
      shown.map(({ id: _id, messageId, replyTo, ...mail }) => ({ ...mail, message_id: messageId, reply_to: replyTo })),
    );
  };

  const simulator = await startServer({
    name: "mailbox",
    port: options.port,
    routes: { "POST /emails": sendOne, "POST /emails/batch": sendBatch },
    fallback: readOne,
    control: {
      "GET /dev/mailbox": showMailbox,
      "DELETE /dev/mailbox": ({ response }) => {
        mails.length = 0;
        sendJson(response, 200, {});
      },
      "POST /control": ({ record, response }) => {
        const parsed = Control.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
        fault = parsed.data.fault === null ? null : { name: parsed.data.fault, left: parsed.data.times ?? Infinity };
        sendJson(response, 200, { fault: parsed.data.fault });
      },
    },
  });
  return { ...simulator, mails: () => mails };
}

function sendError(response: Exchange["response"], error: MailError): void {
  sendJson(response, error.statusCode, error, error.statusCode === 429 ? { "retry-after": "1" } : {});
}

function isFault(name: string): name is keyof typeof faults {
  return name in faults;
}

function isError(value: unknown): value is MailError {
  return typeof value === "object" && value !== null && "statusCode" in value;
}

function addressOnly(address: string): string {
  return (/<([^<>]+)>/.exec(address)?.[1] ?? address).trim().toLowerCase();
}

function refuseCaller(headers: Record<string, string>): MailError | null {
  if (!headers["user-agent"]) return { statusCode: 403, name: "validation_error", message: "A User-Agent header is required." };
  if (!/^Bearer \S+$/.test(headers["authorization"] ?? "")) return { statusCode: 401, name: "missing_api_key", message: "Missing API Key" };
  const key = headers["idempotency-key"];
  if (key !== undefined && (key === "" || key.length > IDEMPOTENCY_KEY_LENGTH)) {
    return { statusCode: 400, name: "invalid_idempotency_key", message: "The idempotency key must be between 1-256 chars." };
  }
  return null;
}

/** The service that sends mails, which stay here in a mailbox. */
export const mailbox = defineService({
  start: startMailbox,
  vars: (url) => ({
    RESEND_URL: url,
    RESEND_API_KEY: "simulated",
    MAIL_FROM: "Polylogue <hello@polylogue.localhost>",
    MAILBOX_SIMULATED: "true",
  }),
  realWith: ["RESEND_API_KEY"],
  row: {
    title: "Mail",
    simulated: () => "kept in the local mailbox",
    real: () => "Resend",
    page: "/dev/mailbox",
    makeReal: "RESEND_API_KEY and MAIL_FROM",
  },
  inTests: {
    canaries: {
      RESEND_API_KEY: "canary-resend-key",
      RESEND_WEBHOOK_SECRET: "whsec_Y2FuYXJ5LXdlYmhvb2stc2VjcmV0LW9mLXRoZS10ZXN0cyEh",
    },
  },
});
