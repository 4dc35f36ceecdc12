import { noteNothingWaiting, noteSent, noteWaiting } from "./conversations.ts";
import { toAppText } from "./format.ts";
import { splitText } from "./split-text.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

/** What a room knows of the messaging app. */
export const messagingApp: MessagingApp = { noteFlushed: noteNothingWaiting, noteSent, noteWaiting, splitText, toAppText };
