/** Why connecting Google failed, as `gmail_error` of a page's address, and what its toast says. */
export const GOOGLE_FAILURES = {
  cancelled: "Nothing was connected: the request was declined at Google.",
  expired: "That took too long or was started elsewhere. Try again.",
  no_access: "Nothing was connected: Google was not allowed to share anything. Leave the boxes ticked.",
  unconfigured: "Connecting Google is not set up in this deployment.",
  unreachable: "Google cannot be reached right now. Try again.",
  failed: "Connecting Google failed. Try again.",
} as const;

export type GoogleFailure = keyof typeof GOOGLE_FAILURES;

/** True for a code of the table; the address is anyone's to write. */
export function isGoogleFailure(code: string): code is GoogleFailure {
  return Object.hasOwn(GOOGLE_FAILURES, code);
}
