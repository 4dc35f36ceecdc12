import { expect, test } from "vitest";
import { resultOf } from "#web/features/library/artifact-history/artifact-call.tsx";
import { fileName } from "#web/features/library/artifact-export/export-artifact.ts";
import { fenced, titleOf } from "#web/features/library/artifacts/keep-as-artifact.tsx";
import { isNewShare, unseenNoteOf } from "#web/features/library/artifacts/artifact-labels.ts";
import { relativeTime } from "#web/lib/relative-time.ts";
import { outcomeText, uploadFailure, type UploadState } from "#web/features/library/artifacts/upload-dialog.tsx";
import { ApiError } from "#web/lib/api.ts";

test("what is kept is called by its first heading, else by how it begins", () => {
  expect(titleOf("Some words first.\n\n## The **costs** #\n")).toBe("The costs");
  expect(titleOf("- A first *point* of file_name\n- another")).toBe("A first point of file_name");
  expect(titleOf("```js\ncode\n```")).toBe("code");
  expect(titleOf("word ".repeat(40)).length).toBeLessThanOrEqual(80);
  expect(titleOf("")).toBe("");
});

test("an artifact that came to the reader is marked until they open it, and then whenever it changed", () => {
  const shared = { is_owner: false, is_team_share: false, seen_version: null, version: 3 };
  expect([isNewShare(shared), unseenNoteOf(shared)]).toEqual([true, "Shared with you, not opened yet"]);
  expect(unseenNoteOf({ ...shared, seen_version: 2 })).toBe("Changed since you last looked");
  for (const old of [{ seen_version: 3 }, { is_owner: true }, { is_team_share: true }])
    expect(unseenNoteOf({ ...shared, ...old })).toBeNull();
});

test("code is kept in a fence that is longer than any in it", () => {
  expect(fenced("a", "js")).toBe("```js\na\n```\n");
  expect(fenced("```\ninner\n```", "md")).toBe("````md\n```\ninner\n```\n````\n");
});

test("a tool's answer names what it made or changed, and the version before", () => {
  const output = JSON.stringify({ artifact_id: "a", title: "Plan", version: 3, previous_version: 2 });
  expect(resultOf({ status: "done", output })).toEqual({ id: "a", title: "Plan", version: 3, before: 2 });
  expect(resultOf({ status: "done", output: '{"artifact_id":"a","title":"Plan","version":1}' })?.before).toBeNull();
  expect(resultOf({ status: "failed", output })).toBeNull();
  expect(resultOf({ status: "done", output: "There is no artifact." })).toBeNull();
});

test("an upload says how many files came and how many did not", () => {
  const files = (...states: UploadState[]) => states.map((state, index) => ({ id: String(index), name: "a.md", size: 1, state }));
  const done: UploadState = { kind: "done", id: "a", title: "A" };
  const failed: UploadState = { kind: "failed", message: "Upload failed" };
  expect(outcomeText(files(done, done, failed))).toBe("2 files uploaded successfully, 1 failed");
  expect(outcomeText(files(done))).toBe("1 file uploaded successfully");
  expect(outcomeText(files(failed, failed))).toBe("Upload failed");
});

test("a file that was not taken says why, and asks to sign in where the session is over", () => {
  expect(uploadFailure(new ApiError({ code: "UNAUTHENTICATED", message: "Please sign in.", status: 401 }))).toBe("Sign in required");
  expect(uploadFailure(new ApiError({ code: "STORAGE_FULL", message: "Your storage is full.", status: 413 }))).toBe(
    "Your storage is full.",
  );
  expect(uploadFailure(new TypeError("not readable"))).toBe("Upload failed");
});

test("times are written as in a sentence", () => {
  const now = new Date(2026, 10, 22, 12, 0);
  const timeText = (...at: [number, number, number, number, number]) => relativeTime(new Date(...at).toISOString(), now);
  expect(timeText(2026, 10, 22, 12, 0)).toBe("now");
  expect(timeText(2026, 10, 22, 11, 48)).toBe("12 minutes ago");
  expect(timeText(2026, 10, 22, 9, 58)).toBe("9:58");
  expect(timeText(2026, 10, 21, 23, 0)).toBe("yesterday");
  expect(timeText(2026, 10, 6, 9, 0)).toBe("6 Nov");
  expect(timeText(2025, 10, 6, 9, 0)).toBe("6 Nov 2025");
});

test("a file is named by its title", () => {
  expect(fileName("A/B", "md")).toBe("A B.md");
});
