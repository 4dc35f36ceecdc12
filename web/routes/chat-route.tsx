import { useParams } from "react-router";
import { ChatPane } from "#web/features/chat/chat-pane.tsx";
import { useChat } from "#web/features/chat/use-chat.ts";
import { usePageTitle } from "#web/features/sidebar/use-page-title.ts";

/** Home, `/new` and a chat are one pane, so that the first message does not remount what it was typed into. */
export function ChatRoute() {
  const { chatId = null } = useParams();
  // Only looks at what the pane asked for.
  const held = useChat(chatId, false);
  usePageTitle(chatId === null ? null : (held.data?.chat.title ?? null));
  return <ChatPane chatId={chatId} />;
}
