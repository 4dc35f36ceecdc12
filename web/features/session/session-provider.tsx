import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { getSession } from "#shared/contracts/account/auth.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";
import { rememberedSession } from "./remembered-session.ts";
import { type SessionAnswer, SessionContext, toSession } from "./use-session.ts";

/** Asks who is here, once for all who want to know. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, dataUpdatedAt, isError } = useQuery({
    queryKey: keys.session,
    queryFn: readSession,
    // A remembered answer carries no time: it is stale at once.
    staleTime: (query) => (query.state.dataUpdatedAt === 0 ? 0 : lifetimes.live),
    initialData: () => rememberedSession.read() ?? undefined,
    initialDataUpdatedAt: 0,
  });
  const isCurrent = dataUpdatedAt > 0;
  const session = useMemo(() => toSession(data, { isCurrent, failed: isError }), [data, isCurrent, isError]);
  // The first answer about whom the page already shows changes half of it: it is drawn in slices, and anything else at once.
  const drawn = useDeferredValue(session);
  const waits = !drawn.isCurrent && drawn.user?.id === session.user?.id;
  return <SessionContext value={waits ? drawn : session}>{children}</SessionContext>;
}

async function readSession({ signal }: { signal: AbortSignal }): Promise<SessionAnswer> {
  const answer = await call(getSession, {}, { signal });
  rememberedSession.write(answer);
  return answer;
}
