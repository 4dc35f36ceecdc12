import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Conversation, Conversations, PhoneMessage } from "./conversations.ts";
import { SHORT_VOICE_NOTE, SMALL_PICTURE, voiceNote } from "./samples.ts";

const file = {
  base64: z.string().optional(),
  mime_type: z.string().optional(),
  filename: z.string().optional(),
  caption: z.string().optional(),
  /** What the app says that it has of bytes. */
  size: z.int().optional(),
};
const common = {
  number: z.string().regex(/^\+?[1-9]\d{6,14}$/),
  /** The name in the sender's profile. */
  name: z.string().optional(),
  /** Unix seconds; now unless given. */
  timestamp: z.number().optional(),
  /** The message that this one answers. */
  reply_to: z.string().optional(),
  /** As people with a username may appear: by their id alone. */
  is_hidden: z.boolean().optional(),
};

/** What somebody does on their phone. */
export const Action = z.discriminatedUnion("type", [
  z.strictObject({ ...common, type: z.literal("text"), body: z.string() }),
  /** `say` makes a voice note of these words. */
  z.strictObject({ ...common, type: z.literal("audio"), ...file, is_voice: z.boolean().default(true), say: z.string().optional() }),
  z.strictObject({ ...common, type: z.literal("image"), ...file }),
  z.strictObject({ ...common, type: z.literal("video"), ...file }),
  z.strictObject({ ...common, type: z.literal("document"), ...file }),
  z.strictObject({ ...common, type: z.literal("sticker"), ...file }),
  z.strictObject({
    ...common,
    type: z.literal("location"),
    latitude: z.number(),
    longitude: z.number(),
    place: z.string().optional(),
    address: z.string().optional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal("contacts"),
    contacts: z.array(z.object({ name: z.string(), phone: z.string().optional() })),
  }),
  z.strictObject({ ...common, type: z.literal("reaction"), message_id: z.string(), emoji: z.string() }),
  z.strictObject({ ...common, type: z.literal("edit"), message_id: z.string(), body: z.string() }),
  z.strictObject({ ...common, type: z.literal("revoke"), message_id: z.string() }),
  z.strictObject({ ...common, type: z.literal("press"), message_id: z.string(), id: z.string() }),
  z.strictObject({ ...common, type: z.literal("unsupported") }),
]);
export type Action = z.infer<typeof Action>;

/** What a webhook gets of an action: the message's own fields beside `from`, `id` and `timestamp`. */
type Posted = { id: string; fields: Record<string, unknown> };

const USUAL = {
  audio: { mime_type: "audio/ogg; codecs=opus", filename: null, bytes: SHORT_VOICE_NOTE },
  image: { mime_type: "image/png", filename: null, bytes: SMALL_PICTURE },
  sticker: { mime_type: "image/webp", filename: null, bytes: SMALL_PICTURE },
  video: { mime_type: "video/mp4", filename: null, bytes: Buffer.from("00000018667479706d703432", "hex") },
  document: { mime_type: "text/plain", filename: "notes.txt", bytes: Buffer.from("A few notes.\n") },
} as const;

/** Does on a phone what was asked; null where the message that it is about is not there. */
export function performAction(conversations: Conversations, conversation: Conversation, action: Action): Posted | null {
  const context = action.reply_to === undefined ? {} : { context: contextOf(conversations, action.reply_to) };
  const add = (type: string, message: Partial<PhoneMessage>): string =>
    conversations.add(conversation, { from: "phone", type, reply_to: action.reply_to ?? null, ...message }).id;

  switch (action.type) {
    case "text":
      return { id: add("text", { text: action.body }), fields: { type: "text", text: { body: action.body }, ...context } };
    case "audio":
    case "image":
    case "video":
    case "document":
    case "sticker": {
      const usual = USUAL[action.type];
      const spoken = action.type === "audio" && action.say !== undefined ? voiceNote(action.say) : usual.bytes;
      const media = conversations.storeMedia({
        mime_type: action.mime_type ?? usual.mime_type,
        filename: action.filename ?? usual.filename,
        bytes: action.base64 === undefined ? spoken : Buffer.from(action.base64, "base64"),
        size: action.size,
      });
      const isVoice = action.type === "audio" && action.is_voice;
      const shown = { id: media.id, mime_type: media.mime_type, filename: media.filename, is_voice: isVoice };
      const content = {
        id: media.id,
        mime_type: media.mime_type,
        sha256: randomUUID(),
        ...(action.caption !== undefined && { caption: action.caption }),
        ...(action.type === "document" && { filename: media.filename ?? "file" }),
        ...(action.type === "audio" && { voice: isVoice }),
        ...(action.type === "sticker" && { animated: false }),
      };
      return {
        id: add(action.type, { text: action.caption ?? "", media: shown }),
        fields: { type: action.type, [action.type]: content, ...context },
      };
    }
    case "location": {
      const { latitude, longitude, place, address } = action;
      const location = { latitude, longitude, ...(place !== undefined && { name: place }), ...(address !== undefined && { address }) };
      return { id: add("location", { text: place ?? `${latitude}, ${longitude}` }), fields: { type: "location", location, ...context } };
    }
    case "contacts": {
      const contacts = action.contacts.map(({ name, phone }) => ({
        name: { formatted_name: name, first_name: name },
        phones: phone === undefined ? [] : [{ phone, type: "CELL", wa_id: phone.replaceAll(/\D/g, "") }],
      }));
      const text = action.contacts.map(({ name }) => name).join(", ");
      return { id: add("contacts", { text }), fields: { type: "contacts", contacts, ...context } };
    }
    case "reaction": {
      const found = conversations.find(action.message_id);
      if (!found) return null;
      found.message.reaction = action.emoji === "" ? null : action.emoji;
      const reaction = { message_id: action.message_id, ...(action.emoji !== "" && { emoji: action.emoji }) };
      return { id: `wamid.${randomUUID()}`, fields: { type: "reaction", reaction } };
    }
    case "edit": {
      const found = conversations.find(action.message_id);
      if (!found) return null;
      found.message.text = action.body;
      found.message.is_edited = true;
      const message = { context: { id: action.message_id }, type: "text", text: { body: action.body } };
      return { id: `wamid.${randomUUID()}`, fields: { type: "edit", edit: { original_message_id: action.message_id, message } } };
    }
    case "revoke": {
      const found = conversations.find(action.message_id);
      if (!found) return null;
      found.message.is_deleted = true;
      return { id: `wamid.${randomUUID()}`, fields: { type: "revoke", revoke: { original_message_id: action.message_id } } };
    }
    case "press":
      return press(conversations, action, add);
    case "unsupported": {
      const errors = [
        {
          code: 131051,
          title: "Message type unknown",
          message: "Message type unknown",
          error_data: { details: "Message type is currently not supported." },
        },
      ];
      return { id: add("unsupported", { text: "A poll" }), fields: { type: "unsupported", errors } };
    }
  }
}

function press(
  conversations: Conversations,
  { message_id: messageId, id }: Extract<Action, { type: "press" }>,
  add: (type: string, message: Partial<PhoneMessage>) => string,
): Posted | null {
  const found = conversations.find(messageId);
  const button = found?.message.buttons.find((one) => one.id === id);
  const row = found?.message.list?.rows.find((one) => one.id === id);
  const pressed = button ?? row;
  if (!found || !pressed) return null;
  found.message.pressed.push(id);
  const kind = button ? "button_reply" : "list_reply";
  const reply = { id, title: pressed.title, ...(row && { description: row.description }) };
  const interactive = { type: kind, [kind]: reply };
  const fields = { type: "interactive", interactive, context: contextOf(conversations, messageId) };
  return { id: add("interactive", { text: pressed.title, reply_to: messageId }), fields };
}

function contextOf(conversations: Conversations, id: string) {
  const found = conversations.find(id);
  return { from: found?.message.from === "phone" ? found.conversation.wa_id : "15550001111", id };
}
