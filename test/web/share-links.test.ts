import { expect, it } from "vitest";
import { ARRIVAL_PARAMETERS } from "#shared/sign-in/arrivals.ts";
import { readShareArrivals, shareParameters } from "#shared/sharing/share-links.ts";
import { signInPath } from "#web/features/people/arrival/arrival-sign-in.tsx";
import { copiedText, filesText, loadFailure, mayPass } from "#web/features/library/share-links/shared-import.tsx";
import { ApiError } from "#web/lib/api.ts";

const ORIGIN = "https://chat.example";

it("what cannot be shown says why: the server's words, or the kind's own", () => {
  const refused = new ApiError({ code: "NOT_FOUND", message: "Shared persona not found", status: 404 });
  const offline = new ApiError({ code: "OFFLINE", message: "The server cannot be reached.", status: 0 });
  expect(loadFailure("persona", { isPending: false, error: refused })).toBe("Shared persona not found");
  expect(loadFailure("persona", { isPending: false, error: offline })).toBe("Failed to load shared persona");
  const mute = new ApiError({ code: "INTERNAL", message: "Something went wrong. Try again.", status: 502, isFromServer: false });
  expect(loadFailure("persona", { isPending: false, error: mute })).toBe("Failed to load shared persona");
  expect(loadFailure("persona", { isPending: false, error: new TypeError("x is not a function") })).toBe("Failed to load shared persona");
  expect(loadFailure("persona", { isPending: false, error: null, data: null })).toBe("Shared persona not found");
  expect(loadFailure("persona", { isPending: true, error: null })).toBeNull();
  expect(loadFailure("persona", { isPending: false, error: null, data: { name: "x" } })).toBeNull();
});

it("signing in leads back to the page with its token", () => {
  const backTo = (page: string) => {
    const path = signInPath(page, shareParameters([{ kind: "persona", token: "a&b" }]), ORIGIN);
    expect(path).toMatch(/^\/auth\/\?returnUrl=[^&]+$/);
    return new URL(path, ORIGIN).searchParams.get("returnUrl");
  };
  expect(backTo("/c/1?message=2")).toBe("/c/1?message=2&share_system_prompt=a%26b");
  expect(backTo("/")).toBe("/?share_system_prompt=a%26b");
  // The login page itself is no place to return to.
  expect(backTo("/auth/?returnUrl=%2F")).toBe("/?share_system_prompt=a%26b");
});

it("share links are read from the page's address, and an empty token counts as none", () => {
  expect(readShareArrivals(new URLSearchParams("share_system_prompt=t&x=1"))).toEqual([{ kind: "persona", token: "t" }]);
  expect(readShareArrivals(new URLSearchParams("share_system_prompt=&share_unknown=t"))).toEqual([]);
  expect(readShareArrivals(new URLSearchParams("share_context=t"))).toEqual([{ kind: "knowledge", token: "t" }]);
  expect(ARRIVAL_PARAMETERS).toContain("share_context");
  expect(loadFailure("knowledge", { isPending: false, error: null })).toBe("Shared knowledge not found");
});

it("an import says how many files there are, and how far their copying is", () => {
  expect([0, 1, 4].map(filesText)).toEqual(["", " with 1 file", " with 4 files"]);
  expect(copiedText({ copied: 1, failed: 0, total: 3 })).toBe("Imported. 1 of 3 files copied…");
  expect(copiedText({ copied: 3, failed: 0, total: 3 })).toBe("Imported: 3 of 3 files copied.");
  expect(copiedText({ copied: 2, failed: 1, total: 3 })).toBe("2 of 3 files copied, 1 could not be.");
});

it.each([
  [0, true],
  [429, true],
  [503, true],
  [404, false],
  [410, false],
])("what is shared is asked for again after a status of %i: %s", (status, expected) => {
  expect(mayPass(new ApiError({ code: "INTERNAL", message: "Something went wrong.", status }))).toBe(expected);
});
