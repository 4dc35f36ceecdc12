import { signOut } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { SIGNED_IN_CHANNEL } from "#shared/sign-in/signed-in-channel.ts";
import { rememberedPreferences } from "#web/features/people/session/remembered-preferences.ts";
import { call, endSession, markSigningOut, markSignedOut } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { rememberedSession } from "./remembered-session.ts";
import { type SessionAnswer, refreshSession, setSessionUser } from "./use-session.ts";

let signingOut = false;

/** Takes over the person who just signed in: a guest's chats are theirs now, so everything is read again. Drafts stay. */
export async function onSignedIn(user: User): Promise<void> {
  const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin, and no target to name.
  channel.postMessage({ failure: null });
  channel.close();
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
export function onSignedOut(): void {
  forgetUser();
  // Once that is drawn, which the cache reports in a task of its own: what still took the person for here would ask for theirs again.
  setTimeout(() => {
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] });
    void refreshSession();
  });
}

/** True while this page itself signs out: the news of its session's end is no news. */
export function isSigningOut(): boolean {
  return signingOut;
}

/** Where to go: home unless given, with what goes `along` to that page unseen. */
export type Place = { to?: string; along?: object };
type Leaving = Place & { everywhere: boolean };

/**
 * Ends this session, or all of this person's. What they left in this browser goes first; a session that cannot be ended now ends before
 * anything else is asked of the server. Other sessions are ended first, or not at all: throws `ApiError` then and changes nothing.
 */
export async function leave({ everywhere, ...place }: Leaving): Promise<void> {
  if (everywhere) return leaveForGood(() => call(signOut, { body: { everywhere } }), place);
  // First, as without its code nobody has left.
  const { clearLocalData, dismissNotifications } = await import("#web/features/people/session/forget-here.ts");
  signingOut = true;
  markSigningOut();
  await clearLocalData();
  await endSession().catch(() => dismissNotifications().catch(() => undefined));
  goTo(place);
}

/** Ends this person's stay by what ends their session or deletes their account; until the page is left, nothing of the end is news. */
export async function leaveForGood(end: () => Promise<unknown>, place: Place): Promise<void> {
  signingOut = true;
  try {
    const { clearLocalData } = await import("#web/features/people/session/forget-here.ts");
    await end();
    // For the other tabs, which would write down once more what they hold.
    markSigningOut();
    await clearLocalData();
    markSignedOut();
  } catch (error) {
    signingOut = false;
    throw error;
  }
  goTo(place);
}

/** By a load of its own: nothing that this page holds is anybody's any more. */
function goTo({ to = "/", along }: Place): void {
  if (along === undefined) return window.location.replace(to);
  // The router reads `usr` of what the history holds.
  window.history.replaceState({ usr: along }, "", to);
  window.location.reload();
}
