import { randomUUID } from "node:crypto";
import * as z from "zod";

const ADDRESS = /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
const RECIPIENTS_LIMIT = 50;

const Address = z.string().regex(ADDRESS);
const Addresses = z.union([Address.transform((address) => [address]), z.array(Address)]);

const Email = z.looseObject({
  from: Address,
  to: Addresses.refine((list) => list.length > 0 && list.length <= RECIPIENTS_LIMIT),
  subject: z.string(),
  text: z.string().optional(),
  html: z.string().optional(),
  cc: Addresses.optional(),
  bcc: Addresses.optional(),
  reply_to: Addresses.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z.array(z.looseObject({ filename: z.string(), content: z.base64(), content_type: z.string().optional() })).optional(),
});

/** A mail as it is kept. */
export type Mail = {
  id: string;
  messageId: string;
  to: string[];
  cc: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  replyTo: string[];
  attachments: { filename: string; type: string; size: number }[];
  at: string;
};

export type MailError = { statusCode: number; name: string; message: string };

const REQUIRED = ["from", "to", "subject"] as const;

function isMissing(body: unknown, field: string): boolean {
  return typeof body !== "object" || body === null || !(field in body) || Reflect.get(body, field) === "";
}

/** Reads one mail of the wire, or says what is wrong with it as the service does. */
export function readMail(body: unknown): { mail: Mail } | { error: MailError } {
  const missing = REQUIRED.find((field) => isMissing(body, field));
  if (missing) return { error: { statusCode: 422, name: "missing_required_field", message: `Missing \`${missing}\` field.` } };
  const parsed = Email.safeParse(body);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    if (field === "from") {
      const message =
        "Invalid `from` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.";
      return { error: { statusCode: 422, name: "invalid_from_address", message } };
    }
    return { error: { statusCode: 422, name: "validation_error", message: `Invalid \`${field}\` field.` } };
  }
  const { from, to, subject, text, html, headers, cc, bcc, reply_to: replyTo, attachments } = parsed.data;
  if (to.length + (cc?.length ?? 0) + (bcc?.length ?? 0) > RECIPIENTS_LIMIT)
    return { error: { statusCode: 422, name: "validation_error", message: "The total number of recipients must not exceed 50." } };
  if (text === undefined && html === undefined)
    return { error: { statusCode: 422, name: "validation_error", message: "Missing `html` or `text` field." } };
  const id = randomUUID();
  return {
    mail: {
      id,
      messageId: `<${id}@mailbox.localhost>`,
      to,
      cc: cc ?? [],
      from,
      subject,
      text: text ?? "",
      html: html ?? "",
      headers: headers ?? {},
      replyTo: replyTo ?? [],
      attachments: (attachments ?? []).map(({ filename, content, content_type: type = "application/octet-stream" }) => ({
        filename,
        type,
        size: Buffer.from(content, "base64").length,
      })),
      at: new Date().toISOString(),
    },
  };
}
