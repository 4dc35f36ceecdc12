import { expect, it } from "vitest";
import { GOOGLE_FAILURES } from "#shared/sign-in/google-failures.ts";
import { googleToast } from "#web/features/integrations/google/google-arrival.ts";

it.each(["", "true", "1"])("an address that comes back from Google with %j says that it is connected", (value) => {
  expect(googleToast(value, null)).toEqual({ title: "Google connected", tone: "success" });
});

it("an address that comes back from Google says another value as it stands, a known failure in its words, and any other as plain text", () => {
  expect(googleToast("lena@nordlicht.studio", null)).toEqual({
    title: "Gmail Connected",
    description: "lena@nordlicht.studio",
    tone: "success",
  });
  for (const [code, description] of Object.entries(GOOGLE_FAILURES))
    expect(googleToast(null, code)).toEqual({ title: "Google Connection Error", description, tone: "danger" });
  expect(googleToast(null, "")).toMatchObject({ title: "Google Connection Error", description: GOOGLE_FAILURES.failed });
  expect(googleToast(null, "<b>quota</b>")).toEqual({ title: "Gmail Connection Error", description: "<b>quota</b>", tone: "danger" });
  expect(googleToast(null, "toString")).toMatchObject({ title: "Gmail Connection Error", description: "toString" });
});

it("an address that comes back from Google is one notice where there are both, short, and none where there is neither", () => {
  expect(googleToast("true", "cancelled")).toMatchObject({ title: "Google Connection Error" });
  expect(googleToast(null, "x".repeat(5_000))?.description).toHaveLength(300);
  expect(googleToast(null, null)).toBeNull();
});
