import { createContext, use } from "react";
import type { Features, User } from "#shared/entities/user.ts";
import { ApiError, serverMessage } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { rememberedSession, type SessionAnswer } from "./remembered-session.ts";

export type { SessionAnswer } from "./remembered-session.ts";

/** `visitor` has no account yet, a `guest` has one without a name, a `user` has signed in. */
export type SessionStatus = "loading" | "visitor" | "guest" | "user";

export type Session = {
  user: User | null;
  /** Null until the first answer. */
  features: Features | null;
  /** True for a guest's account and for a visitor without one. */
  isGuest: boolean;
  status: SessionStatus;
  /** True for a visitor who may be anybody: the server could not say who is here. */
  isUnknown: boolean;
  /** Why it could not, in its own words where it answered; null where it could. */
  failure: { code: string; text: string } | null;
  /** False while all this is what an earlier page remembered. */
  isCurrent: boolean;
};

/** Who is here as one answer says it, or none yet; `isCurrent` is false for what an earlier page remembered. */
export function toSession(answer: SessionAnswer | undefined, { isCurrent, error }: { isCurrent: boolean; error: Error | null }): Session {
  const user = answer?.user ?? null;
  const failed = error !== null;
  return {
    user,
    features: answer?.features ?? null,
    isGuest: user === null || user.anonymous,
    status: statusOf(answer, failed),
    isUnknown: !answer && failed,
    failure: !answer && failed ? failureOf(error) : null,
    isCurrent,
  };
}

const UNKNOWN = "The server cannot say who is here right now.";

function failureOf(error: Error): NonNullable<Session["failure"]> {
  const code = error instanceof ApiError ? error.code : "";
  // What is said where anything may have gone wrong says less than ours.
  return { code, text: (code !== "INTERNAL" && serverMessage(error)) || UNKNOWN };
}

function statusOf(answer: SessionAnswer | undefined, failed: boolean): SessionStatus {
  if (!answer) return failed ? "visitor" : "loading";
  if (!answer.user) return "visitor";
  return answer.user.anonymous ? "guest" : "user";
}

/** Set by the provider alone. */
export const SessionContext = createContext<Session>(toSession(undefined, { isCurrent: false, error: null }));

/** Who is here and what this deployment offers. The last answer paints first and is asked for again at once. */
export function useSession(): Session {
  return use(SessionContext);
}

/** Asks again who is here, e.g. after the first message made a guest's account. */
export async function refreshSession(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.session });
}

/** Puts a changed person into the cache. An answer that is on its way may be older, and would bring back what was: it is asked for anew. */
export function setSessionUser(user: User): void {
  queryClient.setQueryData<SessionAnswer>(keys.session, (held) => {
    if (!held) return held;
    const next = { ...held, user };
    rememberedSession.write(next);
    return next;
  });
  if (queryClient.isFetching({ queryKey: keys.session }) > 0) void refreshSession();
}

/** Changes what the cache holds of the person, and leaves the rest as other answers said it. */
export function changeSessionUser(change: Partial<User>): void {
  const user = queryClient.getQueryData<SessionAnswer>(keys.session)?.user;
  if (user) setSessionUser({ ...user, ...change });
}
