import { useEffect } from "react";
import { type SessionAnswer, setSessionUser } from "#web/features/people/session/use-session.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Keeps the balance and the open usage view right as replies are charged. */
export function useLiveCredits(): void {
  useEffect(
    () =>
      onLive((event) => {
        if (event.type !== "credits.changed") return;
        const user = queryClient.getQueryData<SessionAnswer>(keys.session)?.user;
        if (user) setSessionUser({ ...user, credits: event.credits });
        void queryClient.invalidateQueries({ queryKey: keys.usage });
      }),
    [],
  );
}
