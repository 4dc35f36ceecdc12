import * as z from "zod/mini";

/** The variables of web push: a P-256 key pair in base64url, its public half uncompressed, and whom push services may write to (RFC 8292). */
export const VapidKey = {
  public: z.optional(z.string().check(z.regex(/^B[\w-]{86}$/, "must be an uncompressed P-256 key in base64url"))),
  private: z.optional(z.string().check(z.regex(/^[\w-]{43}$/, "must be 32 bytes in base64url"))),
  subject: z.optional(z.string().check(z.regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must begin with mailto: or https://"))),
};

type Name = "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY" | "VAPID_SUBJECT" | "PUSH_STAND_IN" | "OPERATOR_EMAIL" | "APP_ORIGIN" | "ENVIRONMENT";

/** With what this deployment signs its pushes. */
export type PushConfig = {
  publicKey: string;
  privateKey: string;
  subject: string | null;
  /** The origin of the stand-in that local mode runs on this machine. */
  standIn: string | undefined;
};

/** What this deployment is set up with of web push; null where it has no keys. */
export function pushConfig(given: { [Variable in Name]?: string | undefined }): PushConfig | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject, OPERATOR_EMAIL: operator } = given;
  if (publicKey === undefined || privateKey === undefined) return null;
  const origin = given.APP_ORIGIN?.startsWith("https:") ? given.APP_ORIGIN : null;
  const standIn = given.ENVIRONMENT === "local" && given.PUSH_STAND_IN !== undefined ? new URL(given.PUSH_STAND_IN).origin : undefined;
  return { publicKey, privateKey, subject: subject ?? (operator === undefined ? origin : `mailto:${operator}`), standIn };
}
