/** Why signing in with Google failed, as `auth_error` of the login page's address, and what the page and the popover say. */
export const SIGN_IN_FAILURES = {
  cancelled: "Sign-in with Google was cancelled.",
  expired: "That sign-in took too long or was started elsewhere. Try again.",
  unverified: "Google has not verified that address. Verify it there, or sign in with a mailed code.",
  invite: "Signing up needs a valid invite.",
  blocked: "This account is blocked.",
  additional: "This address is an additional one of an account. Sign in with that account's own address.",
  another: "That Google account does not open this account. Choose the one you signed in with, or take the mailed code.",
  stale: "Google did not say that you signed in there just now. Take the mailed code.",
  unconfigured: "Signing in with Google is not set up in this deployment.",
  unreachable: "Google cannot be reached right now. Try again, or sign in with a mailed code.",
  failed: "Signing in with Google failed. Try again, or sign in with a mailed code.",
} as const;

export type SignInFailure = keyof typeof SIGN_IN_FAILURES;

/** The text of an `auth_error`; the address is anyone's to write, so its own words are never shown. Null where there is none. */
export function signInFailureText(code: string | null): string | null {
  if (code === null || code === "") return null;
  return isSignInFailure(code) ? SIGN_IN_FAILURES[code] : SIGN_IN_FAILURES.failed;
}

function isSignInFailure(code: string): code is SignInFailure {
  return Object.hasOwn(SIGN_IN_FAILURES, code);
}
