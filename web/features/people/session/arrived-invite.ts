import { INVITE_PARAMETER, TEAM_INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";

/** The code of a link that was followed on this page: it holds however its reader comes to sign in. */
let arrived = "";

/** Keeps the code of an invite's link for signing up. */
export function keepInvite(code: string): void {
  arrived = code;
}

/** The code of the invite that somebody signs in with: of the login page's address, of the way back, or of a link followed before. Empty for none. */
export function carriedInvite({ search, returnUrl }: { search: string; returnUrl: string }): string {
  return new URLSearchParams(search).get(INVITE_PARAMETER) ?? queryOf(returnUrl).get(INVITE_PARAMETER) ?? arrived;
}

/** True on the way back to an invitation to a team, which lets its address sign up. */
export function isInvitedToTeam(returnUrl: string): boolean {
  return queryOf(returnUrl).has(TEAM_INVITE_PARAMETER);
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split("#")[0]?.split("?")[1] ?? "");
}
