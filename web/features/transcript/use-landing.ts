import { useEffect } from "react";
import { useLocation } from "react-router";
import { isUuid } from "#shared/uuid.ts";

/** Lands on the message that the address names, with each arrival: `/c/{chat}?message={id}`. */
export function useLanding(chatId: string | null): void {
  const { search, key: arrival } = useLocation();
  const messageId = new URLSearchParams(search).get("message");
  useEffect(() => {
    if (chatId === null || messageId === null || !isUuid(messageId)) return;
    // Without its code the chat opens where it was left; the next search tries again.
    import("./landing.ts").then(({ landOn }) => landOn(chatId, { messageId, arrival })).catch(() => undefined);
  }, [chatId, messageId, arrival]);
}
