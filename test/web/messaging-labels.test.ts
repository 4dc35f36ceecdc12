import { expect, it } from "vitest";
import { MessageMessaging, MessagingState } from "#shared/entities/outbound/messaging.ts";
import { deliveryStatus, messageKindLabel } from "#web/features/conversation/turns/messaging-labels.ts";

it("an answer's label says how far it came in the app, and where it did not arrive", () => {
  expect(MessagingState.options.map((state) => [state, deliveryStatus({ state })])).toEqual([
    ["queued", { text: "On its way to WhatsApp", isBad: false }],
    ["waiting", { text: "Waits for a word on WhatsApp, as the last one is over a day old", isBad: false }],
    ["sent", { text: "Sent to WhatsApp", isBad: false }],
    ["delivered", { text: "Delivered on WhatsApp", isBad: false }],
    ["read", { text: "Read on WhatsApp", isBad: false }],
    ["failed", { text: "Not sent to WhatsApp", isBad: true }],
  ]);
});

it("a message's label names what it was where it was no text", () => {
  expect(MessageMessaging.shape.kind.options.map(messageKindLabel)).toEqual([
    null,
    "Voice note",
    "Picture",
    "File",
    "Place",
    "Contact",
    "Sticker",
  ]);
});
