import { useParams } from "react-router";
import { ChatPane } from "#web/features/conversation/chat/chat-pane.tsx";

/** Home, `/new` and a chat are one pane, so the first message does not remount what it was typed into. */
export function ChatRoute() {
  const { chatId = null } = useParams();
  return <ChatPane chatId={chatId} />;
}
