import { conversations } from "../chats/conversations.ts";
import { readChatgptConversation } from "./read-conversation.ts";

/** Exports of ChatGPT: `conversations.json`, or several of them, with the files beside. */
export const chatgpt = conversations({
  id: "chatgpt",
  field: "mapping",
  beside: ["chat.html", "user.json", "message_feedback.json", "shared_conversations.json"],
  read: readChatgptConversation,
});
