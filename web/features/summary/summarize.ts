import { generateChatSummary } from "#shared/contracts/chat/summaries.ts";
import { SUMMARY_CHARACTERS, SUMMARY_MESSAGES } from "#shared/limits.ts";
import { shortenConversation } from "#shared/shorten-conversation.ts";
import { readWholePath } from "#web/features/messages/read-whole-path.ts";
import { call } from "#web/lib/api.ts";

/** A summary of the shown path; of a long one its start and its newest part are what counts. Throws `ApiError`. */
export async function summarize(chatId: string, signal: AbortSignal): Promise<string> {
  const path = await readWholePath(chatId);
  const said = path.filter(({ content }) => content.trim() !== "").map(({ role, content }) => ({ role, content }));
  const { messages } = shortenConversation([...said.slice(0, 1), ...said.slice(1).slice(1 - SUMMARY_MESSAGES)], SUMMARY_CHARACTERS);
  const { summary } = await call(generateChatSummary, { body: { messages } }, { signal });
  return summary.trim() || "Failed to generate summary";
}
