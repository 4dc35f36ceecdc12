import * as z from "zod/mini";

/** What of Google a person connects. */
export const GOOGLE_FEATURES = ["gmail", "drive"] as const;
export const GoogleFeature = z.enum(GOOGLE_FEATURES);
export type GoogleFeature = z.infer<typeof GoogleFeature>;

export const GoogleConnection = z.object({
  /** False for a grant that does not hold any more, too; `error` then says why. */
  connected: z.boolean(),
  email: z.nullable(z.string()),
  scopes: z.array(z.string()),
  error: z.nullable(z.string()),
  /** What is switched on here and the person did not grant, all of it or a part. */
  missing: z.array(GoogleFeature),
});
export type GoogleConnection = z.infer<typeof GoogleConnection>;
