import { expect, it } from "vitest";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { knowledgeProblems } from "#shared/library/knowledge-problems.ts";
import { SCAN_PAGE_DOLLARS } from "#shared/scans.ts";
import { atSignAt, withoutSign } from "#web/features/conversation/knowledge-use/at-sign.ts";
import { offeredOf } from "#web/features/library/knowledge/choose-artifacts.ts";
import { fileFacts, fileKind, fileNote, fileState, scanOffer } from "#web/features/library/knowledge/file-labels.ts";
import { failureOf, refusalOf } from "#web/features/library/knowledge/use-uploads.ts";
import { ApiError } from "#web/lib/api.ts";

it("a file is refused before it is sent, and a failed one says why", () => {
  expect(refusalOf({ name: "plan.tiff", size: 1 })).toBe("File type not supported or doesn't match its extension");
  expect(refusalOf({ name: "plan.pdf", size: ATTACHMENT_BYTES + 1 })).toBe("File size exceeds 50MB limit");
  expect(refusalOf({ name: `${"n".repeat(300)}.pdf`, size: 1 })).toBe("File validation failed");
  expect(refusalOf({ name: "plan.pdf", size: ATTACHMENT_BYTES })).toBeNull();
  const failure = (status: number, code: string, message: string) => failureOf(new ApiError({ status, code, message }));
  expect(failure(401, "UNAUTHENTICATED", "Please sign in.")).toBe("Authentication required");
  expect(failure(503, "DATABASE_NOT_CONFIGURED", "Supabase is not configured")).toBe("Supabase is not configured");
  expect(failure(502, "GOOGLE_UNREACHABLE", "Google cannot be reached right now.")).toBe("Google cannot be reached right now.");
  expect(failure(500, "INTERNAL", "x")).toBe("File upload failed");
  const unsaid = (status: number) => failureOf(new ApiError({ status, code: "OFFLINE", message: "x", isFromServer: false }));
  expect([0, 502, 503].map(unsaid)).toEqual(["File upload failed", "File upload failed", "File upload not available"]);
  expect(failure(413, "STORAGE_FULL", "Your storage is full.")).toBe("Your storage is full.");
  expect(failureOf(new Error("x"))).toBe("Upload failed");
});

it("a file is described by its kind, its size and how far its reading is", () => {
  expect(["a.pdf", "b.xlsx", "c.docx", "d.jpg", "e.md", "f.csv"].map(fileKind)).toEqual([
    "PDF",
    "Excel",
    "Word",
    "Image",
    "Markdown",
    "CSV",
  ]);
  expect(fileFacts({ file_name: "a.pdf", file_size: 2_516_582, pages: 12 })).toBe("PDF, 2.4 MB, 12 pages");
  expect(fileState({ sync_status: "pending", is_stored: true }).text).toBe("Pending");
  expect(fileState({ sync_status: "pending", is_stored: false }).text).toBe("Copying");
  expect(fileState({ sync_status: "synced", is_stored: true }).text).toBe("Synced");
  expect(fileState({ sync_status: "error", is_stored: true }).text).toBe("Error");
});

it("an entry needs a name, and its text has a limit", () => {
  expect(knowledgeProblems({ name: " ", text_content: "" })).toEqual({ name: "Name cannot be empty." });
  expect(knowledgeProblems({ name: "Facts", text_content: "" })).toEqual({});
});

it("of the artifacts to add the first five are offered that are not added already", () => {
  const choices = Array.from({ length: 8 }, (_, at) => ({ id: `${at}`, title: `Artifact ${at}`, preview: "", isPinned: at === 0 }));
  expect(offeredOf(choices, [{ artifact_id: "0" }, { artifact_id: "2" }]).map(({ id }) => id)).toEqual(["1", "3", "4", "5", "6"]);
  expect(offeredOf(choices.slice(0, 2), [])).toHaveLength(2);
});

it.each([
  ["@", 1, ""],
  ["@comp", 5, "comp"],
  ["ask @comp", 9, "comp"],
  ["ask @company facts now", 18, "company facts"],
  ["(@comp", 6, "comp"],
  ["before\n@comp", 12, "comp"],
  ["ann@example.com", 15, null],
  ["meet @ noon", 11, null],
  ["@comp\nafter", 11, null],
  ["@comp", 0, null],
  [`@${"a".repeat(101)}`, 102, null],
])("in %j the caret at %i asks for the knowledge %j", (text, caret, query) => {
  expect(atSignAt(text, caret)?.query ?? null).toBe(query);
});

it("an at sign leaves what stands around it, and no two spaces", () => {
  expect(withoutSign("ask @comp now", { from: 4, to: 9 })).toEqual({ text: "ask now", caret: 4 });
  expect(withoutSign("@comp now", { from: 0, to: 5 })).toEqual({ text: "now", caret: 0 });
  expect(withoutSign("(@comp) now", { from: 1, to: 6 })).toEqual({ text: "() now", caret: 1 });
  expect(withoutSign("ask @comp", { from: 4, to: 9 })).toEqual({ text: "ask ", caret: 4 });
});

it("a scan says what reading it costs at most, and why one is not read", () => {
  expect([scanOffer(1, 0.0025), scanOffer(12, 12 * SCAN_PAGE_DOLLARS)]).toEqual([
    "Read 1 page, up to $0.0025",
    "Read 12 pages, up to $0.03",
  ]);
  const scan = { file_name: "a.pdf", file_size: 2_048, pages: null, unread: "There is no text.", scan_pages: 12 };
  expect(fileNote(scan)).toBe("There is no text.");
  expect(fileNote({ ...scan, scan_pages: 301 })).toBe("There is no text. Pictures are read up to 300 pages and 10 MB.");
  expect(fileNote({ ...scan, file_size: 11 * 1024 * 1024 })).toContain("Pictures are read up to");
  expect(fileNote({ ...scan, unread: null, scan_pages: null, pages: 2 })).toBe("PDF, 2 KB, 2 pages");
});
