import type { GoogleFeature } from "#shared/entities/outbound/google-connection.ts";

/** All of Google that is connected here, in its order. */
export const GOOGLE_FEATURES = ["gmail", "drive"] as const satisfies readonly GoogleFeature[];

const NAMES: Record<GoogleFeature, string> = { gmail: "mail", drive: "Drive" };

/** Features as people call them: 'mail and Drive'. */
export function namesOf(features: readonly GoogleFeature[]): string {
  return features.map((feature) => NAMES[feature]).join(" and ");
}

/** What connecting is good for where these are switched on. */
export function promiseOf(features: readonly GoogleFeature[]): string {
  const ofDrive = features.includes("drive") ? " Finds passages in your Drive." : "";
  return `Searches and reads your mail, keeps drafts, and sends what you approve.${ofDrive}`;
}
