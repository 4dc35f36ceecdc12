import type { User } from "#shared/entities/user.ts";
import { hasSignedOut } from "#web/lib/api.ts";
import { setOwner } from "#web/lib/own-storage.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { resumePersisting, hasStoppedPersisting } from "#web/lib/storage.ts";
import { rememberedSession } from "./remembered-session.ts";
import type { SessionAnswer } from "./use-session.ts";

/** The account that this page was for last: its forms and lists may still hold what was typed there. */
let last: string | null = null;

/**
 * Keeps the drafts in sight those of whoever is here, from the account on that an earlier page remembered. A page that was one account's
 * begins anew for another. Call it once, before anything is drawn.
 */
export function bindDraftsToAccount(): void {
  setAccount(rememberedSession.read()?.user);
  followLeaving();
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== keys.session[0]) return;
    const answer = queryClient.getQueryData<SessionAnswer>(keys.session);
    if (answer) setAccount(answer.user);
  });
}

/** A tab of whoever has signed out in another one, which the server may be unable to tell, holds on to nothing either. */
function followLeaving(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key !== "leaving" || !hasSignedOut()) return;
    // Where it can, it does, and says more of it.
    setTimeout(beginAnew, navigator.onLine ? SIGN_OUT_GRACE_MS : 0);
  });
}

function beginAnew(): void {
  if (hasSignedOut()) window.location.replace("/");
  else if (!isSomebodyHere) resumePersisting();
  // This page did not hear that they left and came back.
  else if (hasStoppedPersisting()) window.location.reload();
}

const SIGN_OUT_GRACE_MS = 6_000;

let isSomebodyHere = false;

function setAccount(user: User | null | undefined): void {
  if (user && !isSomebodyHere) resumePersisting();
  isSomebodyHere = Boolean(user);
  const account = user && !user.anonymous ? user.id : null;
  setOwner(account);
  if (account === null) return;
  const isAnother = last !== null && last !== account;
  last = account;
  if (isAnother) window.location.reload();
}
