import { type RefObject, useLayoutEffect } from "react";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { landings, takeLanding } from "./landing-store.ts";

/** How long a message that was landed on stays marked, in milliseconds. */
const MARKED_MS = 2_400;

type Place = { scroller: RefObject<HTMLElement | null>; isDrawn: (messageId: string) => boolean; toPlace: () => void };

/** Goes to the message to land on once it is drawn, and marks it for a moment. */
export function useLandingPlace(chatId: string, { scroller, isDrawn, toPlace }: Place): void {
  const landing = useKeyed(landings, chatId);
  const isThere = landing !== null && isDrawn(landing.messageId);
  useLayoutEffect(() => {
    if (!landing || !isThere || !takeLanding(landing)) return undefined;
    toPlace();
    const turn = scroller.current?.querySelector<HTMLElement>(`[data-message="${landing.messageId}"]`);
    turn?.setAttribute("data-landed", "");
    const timer = setTimeout(() => turn?.removeAttribute("data-landed"), MARKED_MS);
    return () => {
      clearTimeout(timer);
      turn?.removeAttribute("data-landed");
    };
  }, [landing, isThere, scroller, toPlace]);
}
