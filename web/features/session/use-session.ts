import { useQuery } from "@tanstack/react-query";
import { getSession } from "#shared/contracts/auth.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { Features, User } from "#shared/entities/user.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { rememberedSession } from "./remembered-session.ts";

export type SessionAnswer = ResponseOf<typeof getSession>;

/** `visitor` has no account yet, a `guest` has one without a name, a `user` has signed in. */
export type SessionStatus = "loading" | "visitor" | "guest" | "user";

export type Session = {
  user: User | null;
  /** Null until the first answer. */
  features: Features | null;
  /** True for a guest's account and for a visitor without one. */
  isGuest: boolean;
  status: SessionStatus;
  /** False while all this is what an earlier page remembered. */
  isCurrent: boolean;
};

async function readSession({ signal }: { signal?: AbortSignal } = {}): Promise<SessionAnswer> {
  const answer = await call(getSession, {}, signal ? { signal } : {});
  rememberedSession.write(answer);
  return answer;
}

/** Who is here and what this deployment offers. The last answer paints first and is asked for again at once. */
export function useSession(): Session {
  const { data, dataUpdatedAt, isError } = useQuery({
    queryKey: keys.session,
    queryFn: readSession,
    // A remembered answer carries no time: it is stale at once.
    staleTime: (query) => (query.state.dataUpdatedAt === 0 ? 0 : lifetimes.live),
    initialData: () => rememberedSession.read() ?? undefined,
    initialDataUpdatedAt: 0,
  });
  const user = data?.user ?? null;
  return {
    user,
    features: data?.features ?? null,
    isGuest: user === null || user.anonymous,
    status: statusOf(data, isError),
    isCurrent: dataUpdatedAt > 0,
  };
}

function statusOf(data: SessionAnswer | undefined, failed: boolean): SessionStatus {
  if (!data) return failed ? "visitor" : "loading";
  if (!data.user) return "visitor";
  return data.user.anonymous ? "guest" : "user";
}

/** Asks again who is here, e.g. after the first message made a guest's account. */
export async function refreshSession(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.session });
}

/** Puts a changed person into the cache. */
export function setSessionUser(user: User): void {
  queryClient.setQueryData<SessionAnswer>(keys.session, (held) => {
    if (!held) return held;
    const next = { ...held, user };
    rememberedSession.write(next);
    return next;
  });
}
