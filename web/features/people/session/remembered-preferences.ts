import type { Preferences } from "#shared/contracts/account/preferences.ts";
import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";

/** The preferences as this browser last knew them: they only speed up the first paint. */
export const rememberedPreferences = stored<Preferences | null>(
  "user-preferences",
  z.nullable(z.looseObject({ defaultToolCategories: z.array(z.string()), enableCodegen: z.boolean() })),
  null,
);
