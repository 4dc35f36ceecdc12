import type { GoogleFeature } from "#shared/entities/outbound/google-connection.ts";

const BASE = "https://www.googleapis.com/auth";
const SCOPES = { gmail: `${BASE}/gmail.readonly`, compose: `${BASE}/gmail.compose`, drive: `${BASE}/drive.readonly` } as const;

/** What a call of Google needs: reading mail, writing it (drafts and sending), or reading Drive. */
export type GoogleNeed = keyof typeof SCOPES;

const NEEDS: Record<GoogleFeature, readonly GoogleNeed[]> = { gmail: ["gmail", "compose"], drive: ["drive"] };

export function scopesOf(features: readonly GoogleFeature[]): string[] {
  return features.flatMap((feature) => NEEDS[feature].map((need) => SCOPES[need]));
}

/** Whether what was granted (scopes with blanks between) does for a call. */
export function coversNeed(granted: string, need: GoogleNeed): boolean {
  return granted.split(" ").includes(SCOPES[need]);
}

/** Whether what was granted does for a call, and for no other that there is here. */
export function coversExactly(granted: string, need: GoogleNeed): boolean {
  const given = Object.values(SCOPES).filter((scope) => granted.split(" ").includes(scope));
  return given.length === 1 && given[0] === SCOPES[need];
}

/** Whether what was granted does for anything here. */
export function coversAny(granted: string): boolean {
  return Object.values(NEEDS).some((needs) => needs.some((need) => coversNeed(granted, need)));
}

/** The features that what was granted does not do for, or not for all of. */
export function missingAmong(features: readonly GoogleFeature[], granted: string): GoogleFeature[] {
  return features.filter((feature) => !NEEDS[feature].every((need) => coversNeed(granted, need)));
}
