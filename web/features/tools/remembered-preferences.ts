import type { Preferences } from "#shared/contracts/account/preferences.ts";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

/** The preferences as this browser last knew them (spec 3): they only speed up the first paint. */
export const rememberedPreferences = stored<Preferences | null>(
  "user-preferences",
  shape.nullable(shape.record<Preferences>({ defaultToolCategories: shape.listOf(shape.text), enableCodegen: shape.flag })),
  null,
);
