import { useEffect, useEffectEvent } from "react";
import { useMatch, useNavigate } from "react-router";
import type { LiveEvent } from "#shared/live-events.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { onLive } from "#web/lib/live.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Milliseconds that the news of a research stands: long enough for whoever looks elsewhere. */
const SHOWN_MS = 30_000;

/** Notifies whoever asked for a research, and looks at something else, that it is finished. */
export function ResearchToast(): null {
  const navigate = useNavigate();
  const { user } = useSession();
  const shownId = useMatch("/c/:chatId")?.params.chatId ?? null;
  const notify = useEffectEvent((event: LiveEvent) => {
    if (event.type !== "reply.ended" || event.chat_id === shownId) return;
    const { chat_id: chatId, research } = event;
    if (!research || research.user_id !== user?.id || research.status === "stopped") return;
    toast({
      title: research.status === "done" ? "Research finished" : "Research broke off",
      description: cachedChat(chatId)?.title ?? "",
      tone: research.status === "done" ? "success" : "warning",
      action: { label: "Open", onClick: () => void navigate(`/c/${chatId}`) },
      duration: SHOWN_MS,
    });
  });
  useEffect(() => onLive(notify), []);
  return null;
}
