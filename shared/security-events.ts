/** What is noted because it decides who gets in, or because somebody tried to: in the log, and counted by day. */
export const SECURITY_EVENTS = [
  "sign-in",
  "new-browser",
  "sign-out",
  "way-in",
  "disowned",
  "wrong-code",
  "wrong-key",
  "wrong-signature",
  "foreign-id",
  "foreign-origin",
  "refused",
  "limited",
  "block",
  "blocked",
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];
