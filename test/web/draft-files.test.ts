import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Attachment } from "#shared/entities/attachment.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";

/** The module as a page that was just loaded has it: memory is gone, the browser's store is not. */
async function loadPage() {
  vi.resetModules();
  return import("#web/features/conversation/composer/draft-files.ts");
}

function attachment(name: string): Attachment {
  const id = crypto.randomUUID();
  return { id, name, type: "text/plain", size: 3, kind: "text", url: `/api/chat/x/attachments/${id}`, unread: null };
}

describe("a draft's files", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", memoryStorage());
  });

  test("a draft's files that have arrived outlive the page, under the chat they belong to; those on their way do not", async () => {
    const before = await loadPage();
    const file = attachment("a.txt");
    before.writeDraftFiles("new", () => [before.toReadyFile(file), { id: "b", name: "b.txt", size: 1, kind: "uploading", progress: 0.5 }]);
    const { chatId } = before.readDraftFiles("new");
    const after = (await loadPage()).readDraftFiles("new");
    expect(after).toEqual({ chatId, files: [before.toReadyFile(file)] });
  });

  test("a draft's files belong to the chat whose composer they are at, and to another new chat once sent", async () => {
    const page = await loadPage();
    expect(page.readDraftFiles("some-chat").chatId).toBe("some-chat");
    page.writeDraftFiles("new", () => [page.toReadyFile(attachment("a.txt"))]);
    const first = page.readDraftFiles("new").chatId;
    page.clearDraftFiles("new");
    expect(page.readDraftFiles("new").files).toEqual([]);
    expect(page.readDraftFiles("new").chatId).not.toBe(first);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("a draft's files come back with a refused message as they were", async () => {
    const page = await loadPage();
    const files = [attachment("a.txt"), attachment("b.txt")];
    page.restoreDraftFiles("new", { chatId: "refused-chat", files });
    expect(page.readyAttachments(page.readDraftFiles("new"))).toEqual(files);
    expect((await loadPage()).readDraftFiles("new").chatId).toBe("refused-chat");
  });

  test("a draft's files written by another version or hand are dropped", async () => {
    localStorage.setItem("files:new", JSON.stringify({ chatId: "x", files: [{ id: 1 }] }));
    expect((await loadPage()).readDraftFiles("new").files).toEqual([]);
  });
});
