import { conversations } from "../chats/conversations.ts";
import { spanOf } from "../chats/foreign-chat.ts";
import { bringInstructions } from "./instructions.ts";
import { readChatgptConversation } from "./read-conversation.ts";

/** Exports of ChatGPT: `conversations.json`, or several of them, with the files beside. */
export const chatgpt = conversations({
  id: "chatgpt",
  field: "mapping",
  beside: ["chat.html", "user.json", "message_feedback.json", "shared_conversations.json"],
  read: readChatgptConversation,
  bringBeside: (importing, place, chat) => bringInstructions(importing, place, { text: chat.instructions ?? "", at: spanOf(chat).lastAt }),
});
