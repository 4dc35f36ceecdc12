import { randomUUID } from "node:crypto";

/** A file as the app keeps it; `size` is what it says of its bytes, where that is not so. */
export type Media = { id: string; mime_type: string; filename: string | null; bytes: Buffer; size?: number | undefined };

/** What one bubble of the app shows, whoever wrote it. */
export type PhoneMessage = {
  id: string;
  from: "phone" | "business";
  at: string;
  type: string;
  /** The words: a text, a caption, or what an interactive message or a template says. */
  text: string;
  media: { id: string; mime_type: string; filename: string | null; is_voice: boolean } | null;
  /** The message that this one answers. */
  reply_to: string | null;
  buttons: { id: string; title: string }[];
  list: { button: string; rows: { id: string; title: string; description: string }[] } | null;
  template: { name: string; parameters: string[] } | null;
  /** Of the business's messages how far they came; of the phone's whether they were read. */
  status: "accepted" | "sent" | "delivered" | "read" | "failed";
  error: string | null;
  reaction: string | null;
  is_edited: boolean;
  is_deleted: boolean;
  /** The ids of the buttons and rows that were pressed. */
  pressed: string[];
};

/** One person's conversation with the business; `wa_id` is their number in digits, `window_until` epoch milliseconds. */
export type Conversation = {
  number: string;
  wa_id: string;
  user_id: string;
  name: string;
  messages: PhoneMessage[];
  window_until: number;
  typing_until: number;
};

/** What the app's server keeps in memory. */
export type Conversations = {
  of(number: string): Conversation;
  all(): Conversation[];
  find(messageId: string): { conversation: Conversation; message: PhoneMessage } | null;
  add(conversation: Conversation, message: Partial<PhoneMessage> & Pick<PhoneMessage, "from" | "type">): PhoneMessage;
  storeMedia(media: Omit<Media, "id">): Media;
  media(id: string): Media | null;
};

const PHONE_MESSAGES_MAX = 1_000;

/** Opens an app's server without any conversation. */
export function createConversations(): Conversations {
  const conversations = new Map<string, Conversation>();
  const medias = new Map<string, Media>();
  const byMessage = new Map<string, string>();

  function of(number: string): Conversation {
    const waId = number.replaceAll(/\D/g, "");
    const known = conversations.get(waId);
    if (known) return known;
    const opened: Conversation = {
      number: `+${waId}`,
      wa_id: waId,
      user_id: `US.${waId.split("").toReversed().join("")}`,
      name: `Phone ${waId.slice(-4)}`,
      messages: [],
      window_until: 0,
      typing_until: 0,
    };
    conversations.set(waId, opened);
    return opened;
  }

  return {
    of,
    all: () => [...conversations.values()],
    find(messageId) {
      const waId = byMessage.get(messageId);
      const conversation = waId === undefined ? undefined : conversations.get(waId);
      const message = conversation?.messages.find(({ id }) => id === messageId);
      return conversation && message ? { conversation, message } : null;
    },
    add(conversation, given) {
      const message: PhoneMessage = {
        id: `wamid.${Buffer.from(randomUUID()).toString("base64url")}`,
        at: new Date().toISOString(),
        text: "",
        media: null,
        reply_to: null,
        buttons: [],
        list: null,
        template: null,
        status: given.from === "phone" ? "sent" : "accepted",
        error: null,
        reaction: null,
        is_edited: false,
        is_deleted: false,
        pressed: [],
        ...given,
      };
      conversation.messages.push(message);
      if (conversation.messages.length > PHONE_MESSAGES_MAX) conversation.messages.shift();
      byMessage.set(message.id, conversation.wa_id);
      return message;
    },
    storeMedia(media) {
      const storedMedia = { ...media, id: String(Math.floor(Math.random() * 1e15)) };
      medias.set(storedMedia.id, storedMedia);
      return storedMedia;
    },
    media: (id) => medias.get(id) ?? null,
  };
}
