import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";
import { readSession } from "./read-session.ts";
import { rememberedSession } from "./remembered-session.ts";
import { SessionContext, toSession } from "./use-session.ts";

/** Asks who is here, once for all who want to know. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: keys.session,
    queryFn: readSession,
    // A remembered answer carries no time: it is stale at once.
    staleTime: (query) => (query.state.dataUpdatedAt === 0 ? 0 : lifetimes.live),
    initialData: () => rememberedSession.read() ?? undefined,
    initialDataUpdatedAt: 0,
  });
  const isCurrent = dataUpdatedAt > 0;
  const session = useMemo(() => toSession(data, { isCurrent, error }), [data, isCurrent, error]);
  // The first answer about whom the page already shows changes half of it: it is drawn in slices, and anything else at once.
  const drawn = useDeferredValue(session);
  const waits = !drawn.isCurrent && drawn.user?.id === session.user?.id;
  return <SessionContext value={waits ? drawn : session}>{children}</SessionContext>;
}
