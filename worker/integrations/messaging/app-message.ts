/** What the messaging app sends (reference: Meta's Cloud API, webhooks of `messages`). */
import * as z from "zod/mini";

const Media = z.object({
  id: z.string(),
  mime_type: z.optional(z.string()),
  caption: z.optional(z.string()),
  filename: z.optional(z.string()),
  /** True for a recording made in the app itself. */
  voice: z.optional(z.boolean()),
});
export type AppMedia = z.infer<typeof Media>;

const Text = z.object({ body: z.string() });
const Reply = z.object({ id: z.string(), title: z.optional(z.string()) });

/** A message as the app sends it: what it holds stands under the name of its type. Whoever hides their number has an id alone. */
export const AppMessage = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(300)),
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
  /** Unix seconds. */
  timestamp: z.string(),
  type: z.string(),
  text: z.optional(Text),
  image: z.optional(Media),
  audio: z.optional(Media),
  video: z.optional(Media),
  document: z.optional(Media),
  sticker: z.optional(Media),
  location: z.optional(
    z.object({ latitude: z.number(), longitude: z.number(), name: z.optional(z.string()), address: z.optional(z.string()) }),
  ),
  contacts: z.optional(
    z.array(
      z.object({
        name: z.optional(z.object({ formatted_name: z.optional(z.string()) })),
        phones: z.optional(z.array(z.object({ phone: z.optional(z.string()) }))),
        emails: z.optional(z.array(z.object({ email: z.optional(z.string()) }))),
      }),
    ),
  ),
  interactive: z.optional(z.object({ type: z.string(), button_reply: z.optional(Reply), list_reply: z.optional(Reply) })),
  /** The quick reply of a template. */
  button: z.optional(z.object({ text: z.optional(z.string()), payload: z.optional(z.string()) })),
  edit: z.optional(
    z.object({
      original_message_id: z.string(),
      message: z.object({ text: z.optional(Text), image: z.optional(Media), video: z.optional(Media), document: z.optional(Media) }),
    }),
  ),
  revoke: z.optional(z.object({ original_message_id: z.string() })),
  system: z.optional(z.object({ type: z.optional(z.string()) })),
  context: z.optional(
    z.object({ id: z.optional(z.string()), forwarded: z.optional(z.boolean()), frequently_forwarded: z.optional(z.boolean()) }),
  ),
});
export type AppMessage = z.infer<typeof AppMessage>;

/** What is known of a message whose shape is not: that it cannot be read is said to whoever sent it. */
export const UnreadableMessage = z.pipe(
  z.object({
    id: AppMessage.shape.id,
    from: z.optional(z.unknown()),
    from_user_id: z.optional(z.unknown()),
    timestamp: z.optional(z.unknown()),
    type: z.optional(z.unknown()),
  }),
  z.transform(({ id, from, from_user_id: waUserId, timestamp, type }): AppMessage => {
    const sender = { from: textOf(from), from_user_id: textOf(waUserId) };
    // Of these nobody expects an answer.
    const isQuiet = type === "reaction" || type === "system";
    return {
      id,
      ...sender,
      timestamp: typeof timestamp === "number" ? String(timestamp) : (textOf(timestamp) ?? ""),
      type: isQuiet ? type : "unsupported",
    };
  }),
);

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What became of a message of ours. */
export const AppStatus = z.object({
  id: z.string(),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  biz_opaque_callback_data: z.optional(z.string()),
  errors: z.optional(
    z.array(
      z.object({
        code: z.number(),
        title: z.optional(z.string()),
        message: z.optional(z.string()),
        error_data: z.optional(z.object({ details: z.optional(z.string()) })),
      }),
    ),
  ),
});
export type AppStatus = z.infer<typeof AppStatus>;

/** One post: each message and status is read by itself, so one of a shape to come holds up no other. */
export const AppPost = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.object({
            metadata: z.optional(z.object({ phone_number_id: z.optional(z.string()) })),
            messages: z.optional(z.array(z.unknown())),
            statuses: z.optional(z.array(z.unknown())),
          }),
        }),
      ),
    }),
  ),
});
