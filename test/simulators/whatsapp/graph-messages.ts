import * as z from "zod";

const Text = z.object({
  type: z.literal("text"),
  text: z.object({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() }),
});

const Parameter = z.object({ type: z.literal("text"), text: z.string() });
const Component = z.object({
  type: z.enum(["header", "body", "button"]),
  sub_type: z.string().optional(),
  index: z.string().optional(),
  parameters: z.array(Parameter),
});
const Template = z.object({
  type: z.literal("template"),
  template: z.object({ name: z.string(), language: z.object({ code: z.string() }), components: z.array(Component).default([]) }),
});

const Reply = z.object({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) });
const Buttons = z.object({
  type: z.literal("button"),
  body: z.object({ text: z.string().min(1).max(1_024) }),
  footer: z.object({ text: z.string().max(60) }).optional(),
  action: z.object({
    buttons: z
      .array(z.object({ type: z.literal("reply"), reply: Reply }))
      .min(1)
      .max(3),
  }),
});
const Row = z.object({ id: z.string().min(1).max(200), title: z.string().min(1).max(24), description: z.string().max(72).optional() });
const List = z.object({
  type: z.literal("list"),
  body: z.object({ text: z.string().min(1).max(4_096) }),
  footer: z.object({ text: z.string().max(60) }).optional(),
  action: z.object({
    button: z.string().min(1).max(20),
    sections: z
      .array(z.object({ title: z.string().max(24).optional(), rows: z.array(Row).min(1) }))
      .min(1)
      .max(10),
  }),
});
const Interactive = z.object({ type: z.literal("interactive"), interactive: z.discriminatedUnion("type", [Buttons, List]) });

const Common = z.object({
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual").optional(),
  to: z.string().optional(),
  recipient: z.string().optional(),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
});

/** A message that the business sends. */
export const Outgoing = z.intersection(Common, z.discriminatedUnion("type", [Text, Template, Interactive]));
export type Outgoing = z.infer<typeof Outgoing>;

/** That a message was read, and that somebody is typing an answer to it. */
export const Status = z.object({
  messaging_product: z.literal("whatsapp"),
  status: z.literal("read"),
  message_id: z.string(),
  typing_indicator: z.object({ type: z.literal("text") }).optional(),
});

/** What the service says instead of doing what it was asked. */
export type GraphError = { status: number; code: number; message: string; details: string };

const ERRORS: Record<number, Omit<GraphError, "code">> = {
  100: { status: 400, message: "(#100) Invalid parameter", details: "A parameter is not valid." },
  190: { status: 401, message: "Error validating access token", details: "The access token has expired." },
  130429: {
    status: 429,
    message: "(#130429) Rate limit hit",
    details: "Message failed to send because there were too many messages sent.",
  },
  131000: { status: 500, message: "(#131000) Something went wrong", details: "Message failed to send due to an unknown error." },
  131026: { status: 400, message: "(#131026) Message undeliverable", details: "Message Undeliverable." },
  131047: {
    status: 400,
    message: "(#131047) Re-engagement message",
    details: "More than 24 hours have passed since the recipient last replied.",
  },
  132000: { status: 400, message: "(#132000) Number of parameters does not match", details: "The parameters do not match the template." },
  132001: { status: 404, message: "(#132001) Template name does not exist", details: "The template does not exist in the language." },
};

/** The service's own words for a code. */
export function graphError(code: number, details?: string): GraphError {
  const known = ERRORS[code] ?? { status: 500, message: `(#${code}) Failed`, details: "It failed." };
  return { ...known, code, ...(details !== undefined && { details }) };
}

/** The approved templates, with what each says and how often its parameters stand in it. */
export const TEMPLATES: Record<string, { says: (parameters: string[]) => string; body: number; buttons: number }> = {
  verification_code: {
    says: ([code = ""]) => `${code} is your verification code. For your security, do not share this code.`,
    body: 1,
    buttons: 1,
  },
  answer_waiting: {
    says: ([chat = ""]) => `An answer is waiting in your chat "${chat}". Reply to this message to read it.`,
    body: 1,
    buttons: 0,
  },
};

/** Why a template cannot be sent as it was asked; null where it can. */
export function refuseTemplate({ name, components }: z.infer<typeof Template>["template"]): GraphError | null {
  const known = TEMPLATES[name];
  if (!known) return graphError(132001);
  const count = (type: string) => components.filter((one) => one.type === type).reduce((sum, { parameters }) => sum + parameters.length, 0);
  return count("body") === known.body && count("button") === known.buttons ? null : graphError(132000);
}
