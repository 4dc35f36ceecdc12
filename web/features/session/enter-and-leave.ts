import { signOut } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { rememberedPreferences } from "#web/features/tools/remembered-preferences.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { rememberedSession } from "./remembered-session.ts";
import { type SessionAnswer, refreshSession, setSessionUser } from "./use-session.ts";

let leaving = false;

/** Takes over the person who just signed in: a guest's chats are theirs now, so everything is read again. Drafts stay. */
export async function entered(user: User): Promise<void> {
  setSessionUser(user);
  await Promise.all([refreshSession(), queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] })]);
}

/** Takes the person's name off this page; what was read of theirs stays until `left`. */
export function forgetUser(): void {
  rememberedSession.remove();
  rememberedPreferences.remove();
  queryClient.setQueryData<SessionAnswer>(keys.session, (held) => held && { ...held, user: null });
}

/** Forgets the person on this page: nothing of theirs stays in the cache. */
export function left(): void {
  forgetUser();
  // Once that is drawn, which the cache reports in a task of its own: what still took the person for here would ask for theirs again.
  setTimeout(() => {
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] });
    void refreshSession();
  });
}

/** True while this page itself signs out: the news of its session's end is no news. */
export function isLeaving(): boolean {
  return leaving;
}

type Leaving = { everywhere: boolean; goHome: () => void };

/** Ends this session, or all of this person's, and goes home. Throws `ApiError` and changes nothing when the server cannot be reached. */
export async function leave({ everywhere, goHome }: Leaving): Promise<void> {
  leaving = true;
  try {
    await call(signOut, { body: { everywhere } });
    // First: whatever home is drawn with would be asked for in the name of who has left.
    forgetUser();
    goHome();
    // Once home is drawn: the pane of an open chat would ask again for what it may not read any more.
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    left();
  } finally {
    leaving = false;
  }
}

/** Ends this person's stay by what deletes their account; the page is left then, and until it is nothing of the end is news. */
export async function leaveForGood(end: () => Promise<unknown>): Promise<void> {
  leaving = true;
  try {
    await end();
  } catch (error) {
    leaving = false;
    throw error;
  }
}
