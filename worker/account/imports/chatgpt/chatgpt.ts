import { conversationSource } from "../chats/conversation-source.ts";
import { timeSpanOf } from "../chats/external-chat.ts";
import { importInstructions } from "./instructions.ts";
import { readChatgptConversation } from "./read-conversation.ts";

/** Exports of ChatGPT: `conversations.json`, or several of them, with the files beside. */
export const chatgpt = conversationSource({
  id: "chatgpt",
  field: "mapping",
  beside: ["chat.html", "user.json", "message_feedback.json", "shared_conversations.json"],
  read: readChatgptConversation,
  importExtras: (importing, place, chat) =>
    importInstructions(importing, place, { text: chat.instructions ?? "", at: timeSpanOf(chat).lastAt }),
});
