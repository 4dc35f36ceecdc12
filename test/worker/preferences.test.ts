import { expect, test } from "vitest";
import { getPreferences, putPreferences } from "#shared/contracts/account/preferences.ts";
import { signIn, visitor } from "#test/support/worker.ts";

test("preferences are empty until they are set, then what was set last, each user's own", async () => {
  const [one, other] = [await signIn(), await signIn()];
  expect(await one.take(getPreferences, {})).toEqual({ preferences: { defaultToolCategories: [], enableCodegen: false } });
  const preferences = { defaultToolCategories: ["search", "email"], enableCodegen: true };
  expect(await one.take(putPreferences, { body: preferences })).toEqual({ preferences });
  expect(await one.take(getPreferences, {})).toEqual({ preferences });
  expect(await other.take(getPreferences, {})).toEqual({ preferences: { defaultToolCategories: [], enableCodegen: false } });
});

test("preferences need a session", async () => {
  expect(await visitor().call(getPreferences, {})).toMatchObject({ ok: false, status: 401 });
});
