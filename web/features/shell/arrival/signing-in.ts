/** True on the login pages, whose address keeps what it brings: an invite's code is for signing in, and the rest for afterwards. */
export function isSigningIn(path: string): boolean {
  return /^\/auth(?:\/|$)/.test(path);
}
