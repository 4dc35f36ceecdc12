import { ChatPane } from "#web/features/chat/chat-pane.tsx";
import { useOpenChatId } from "#web/lib/routing.tsx";

/** Home, `/new` and a chat are one pane, so that the first message does not remount what it was typed into. */
export function ChatRoute() {
  return <ChatPane chatId={useOpenChatId()} />;
}
