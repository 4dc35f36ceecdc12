import type { AnswerMessaging, MessageMessaging } from "#shared/entities/outbound/messaging.ts";

/** The app's name, as people know it. */
export const APPS = { whatsapp: "WhatsApp" } as const satisfies Record<MessageMessaging["app"], string>;

const KINDS = {
  text: null,
  voice: "Voice note",
  picture: "Picture",
  file: "File",
  place: "Place",
  contact: "Contact",
  sticker: "Sticker",
} as const satisfies Record<MessageMessaging["kind"], string | null>;

/** What a message of the app was, where it was no text. */
export function messageKindLabel(kind: MessageMessaging["kind"]): string | null {
  return KINDS[kind];
}

/** How far an answer came in the app; `isBad` where it did not arrive. */
export function deliveryStatus({ state }: Pick<AnswerMessaging, "state">): { text: string; isBad: boolean } {
  switch (state) {
    case "queued":
      return { text: "On its way to WhatsApp", isBad: false };
    case "waiting":
      return { text: "Waits for a word on WhatsApp, as the last one is over a day old", isBad: false };
    case "sent":
      return { text: "Sent to WhatsApp", isBad: false };
    case "delivered":
      return { text: "Delivered on WhatsApp", isBad: false };
    case "read":
      return { text: "Read on WhatsApp", isBad: false };
    case "failed":
      return { text: "Not sent to WhatsApp", isBad: true };
  }
}
