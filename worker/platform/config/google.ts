import type { GoogleFeature } from "#shared/entities/outbound/google-connection.ts";

type Name =
  | "GOOGLE_CLIENT_ID"
  | "GOOGLE_CLIENT_SECRET"
  | "GOOGLE_AUTH_URL"
  | "GOOGLE_TOKEN_URL"
  | "GOOGLE_JWKS_URL"
  | "GOOGLE_ISSUER"
  | "GOOGLE_REVOKE_URL"
  | "GMAIL"
  | "GMAIL_URL"
  | "GOOGLE_DRIVE"
  | "GOOGLE_DRIVE_URL"
  | "GOOGLE_PICKER_URL"
  | "GOOGLE_PICKER_KEY"
  | "GOOGLE_PROJECT_NUMBER";

/** The variables of Google as they were checked (worker/platform/config/config.ts). */
type Given = { [Variable in Name]?: string | undefined } & { CREDENTIAL_KEYS?: readonly unknown[] | undefined };

/** What this deployment is set up with of Google. */
export function googleConfig(given: Given) {
  return {
    /** The registration with Google; null where there is none. */
    client:
      given.GOOGLE_CLIENT_ID !== undefined && given.GOOGLE_CLIENT_SECRET !== undefined
        ? { id: given.GOOGLE_CLIENT_ID, secret: given.GOOGLE_CLIENT_SECRET }
        : null,
    authUrl: given.GOOGLE_AUTH_URL ?? "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: given.GOOGLE_TOKEN_URL ?? "https://oauth2.googleapis.com/token",
    keysUrl: given.GOOGLE_JWKS_URL ?? "https://www.googleapis.com/oauth2/v3/certs",
    revokeUrl: given.GOOGLE_REVOKE_URL ?? "https://oauth2.googleapis.com/revoke",
    issuers: given.GOOGLE_ISSUER === undefined ? ["https://accounts.google.com", "accounts.google.com"] : [given.GOOGLE_ISSUER],
    /** The origin of the provider in Google's place, which has its people's pictures too. */
    standIn: given.GOOGLE_TOKEN_URL && new URL(given.GOOGLE_TOKEN_URL).origin,
    /** What people connect of it, beyond signing in: there is no Drive without Gmail. */
    features: featuresOf(given),
    driveUrl: given.GOOGLE_DRIVE_URL ?? "https://www.googleapis.com/drive/v3",
    /** The browser key and project number for choosing files; null where they cannot. */
    picker:
      given.GOOGLE_PICKER_KEY !== undefined && given.GOOGLE_PROJECT_NUMBER !== undefined
        ? {
            key: given.GOOGLE_PICKER_KEY,
            project: given.GOOGLE_PROJECT_NUMBER,
            script: given.GOOGLE_PICKER_URL ?? "https://apis.google.com/js/api.js",
          }
        : null,
    gmailUrl: given.GMAIL_URL ?? "https://gmail.googleapis.com",
  };
}

function featuresOf(given: Given): GoogleFeature[] {
  const isRegistered = given.GOOGLE_CLIENT_ID !== undefined && given.GOOGLE_CLIENT_SECRET !== undefined;
  if (!isRegistered || given.CREDENTIAL_KEYS === undefined || given.GMAIL !== "true") return [];
  return given.GOOGLE_DRIVE === "true" ? ["gmail", "drive"] : ["gmail"];
}
