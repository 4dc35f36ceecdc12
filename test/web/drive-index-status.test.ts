import { expect, it } from "vitest";
import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import { indexFailure, indexProgress, indexStatusText } from "#web/features/integrations/drive/index-status-text.ts";
import { ApiError } from "#web/lib/api.ts";

const status = (change: Partial<DriveIndexStatus>): DriveIndexStatus => ({
  status: "running",
  totalFiles: 2006,
  indexedFiles: 1284,
  skippedFiles: 37,
  errors: [],
  message: null,
  finishedAt: null,
  ...change,
});

it.each<[string, Partial<DriveIndexStatus>, string | null]>([
  ["while it runs", {}, "Indexing Drive, 1,284 of 2,006 files, 37 skipped. A mail follows."],
  ["with nothing skipped", { skippedFiles: 0, totalFiles: 1, indexedFiles: 0 }, "Indexing Drive, 0 of 1 file. A mail follows."],
  ["at its beginning", { totalFiles: 0 }, "Looking what is in your Drive. A mail follows."],
  ["once it is done", { status: "completed", message: "2 of 2 files can be searched." }, "2 of 2 files can be searched."],
  ["where there is none", { status: "none" }, null],
])("the status of an index say how far it is %s", (_name, change, words) => expect(indexStatusText(status(change))).toBe(words));

it("the status of an index say why it did not begin, in the server's words where there are any", () => {
  const refused = new ApiError({ code: "FORBIDDEN", message: "Connect Google to continue", status: 403 });
  expect(indexFailure(refused)).toEqual({ title: "Indexing Error", description: "Connect Google to continue" });
  const lost = { title: "Indexing Error", description: "Failed to start Google Drive indexing" };
  expect(indexFailure(new Error("no network"))).toEqual(lost);
  expect(indexFailure(new ApiError({ code: "OFFLINE", message: "The server cannot be reached.", status: 0 }))).toEqual(lost);
});

it("the status of an index count what is skipped as done", () => {
  expect(indexProgress(status({ totalFiles: 10, indexedFiles: 4, skippedFiles: 1 }))).toBe(0.5);
  expect(indexProgress(status({ totalFiles: 0 }))).toBe(0);
});
