import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** The user's preferences; the web keeps a copy under `user-preferences` for the first paint. */
export const Preferences = z.object({
  defaultToolCategories: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100)),
  enableCodegen: z.boolean(),
});
export type Preferences = z.infer<typeof Preferences>;

export const getPreferences = endpoint("GET", "/api/user/preferences", {
  summary: "Default tool categories and switches",
  access: "user",
  response: z.object({ preferences: Preferences }),
});

export const putPreferences = endpoint("PUT", "/api/user/preferences", {
  summary: "Replace the preferences",
  access: "user",
  body: Preferences,
  response: z.object({ preferences: Preferences }),
});
