import { beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "#test/support/memory-storage.ts";

/** The module as a page that was just loaded has it: memory is gone, the browser's store is not. */
async function loadPage() {
  vi.resetModules();
  return import("#web/features/conversation/composer/drafts.ts");
}

describe("a draft", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", memoryStorage());
  });

  test("a draft survives the page", async () => {
    const before = await loadPage();
    before.writeDraft("chat", "half a thought");
    before.flushDrafts();
    expect((await loadPage()).readDraft("chat")).toBe("half a thought");
  });

  test("a draft is one for each chat", async () => {
    const page = await loadPage();
    page.writeDraft("one", "first");
    page.writeDraft("two", "second");
    expect([page.readDraft("one"), page.readDraft("two"), page.readDraft("new")]).toEqual(["first", "second", ""]);
  });

  test("a draft goes for good once it is cleared", async () => {
    const page = await loadPage();
    page.writeDraft("chat", "sent");
    page.flushDrafts();
    page.clearDraft("chat");
    expect((await loadPage()).readDraft("chat")).toBe("");
  });

  test("a draft lives on in memory where nothing may be stored", async () => {
    vi.stubGlobal("localStorage", {
      getItem: () => null,
      setItem() {
        throw new Error("full");
      },
      removeItem: () => undefined,
    });
    const page = await loadPage();
    page.writeDraft("chat", "kept");
    page.flushDrafts();
    expect(page.readDraft("chat")).toBe("kept");
  });
});

describe("the outbox", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", memoryStorage());
  });

  const send = {
    id: "00000000-0000-4000-8000-000000000001",
    chatId: "00000000-0000-4000-8000-000000000002",
    content: "On its way",
    settings: { model_id: "auto", tool_categories: ["synthesis"] },
    ownerId: null,
    isFirst: true,
    parentId: null,
    state: { kind: "sending" } as const,
  };
  const loadOutbox = async () => {
    vi.resetModules();
    return (await import("#web/features/conversation/sending/outbox.ts")).outbox;
  };

  test("the outbox keeps a message until the server has it, across a reload", async () => {
    (await loadOutbox()).add(send);
    const reloaded = await loadOutbox();
    expect(reloaded.ofChat(send.chatId)).toEqual([send]);
    reloaded.remove(send.id);
    expect((await loadOutbox()).all()).toEqual([]);
  });

  test("the outbox drops what says nothing of its model", async () => {
    const { settings: _settings, ...rest } = send;
    for (const odd of [rest, { ...rest, settings: {} }, { ...rest, settings: { model_id: "auto", tool_categories: [1] } }]) {
      vi.stubGlobal("localStorage", memoryStorage({ [`outbox:${send.id}`]: JSON.stringify({ order: 1, send: odd }) }));
      expect((await loadOutbox()).all()).toEqual([]);
    }
  });

  test("the outbox leaves another tab's messages in the store", async () => {
    const here = await loadOutbox();
    const there = await loadOutbox();
    there.add(send);
    here.add({ ...send, id: "00000000-0000-4000-8000-000000000003" });
    expect((await loadOutbox()).all().map(({ id }) => id)).toEqual([send.id, "00000000-0000-4000-8000-000000000003"]);
  });

  test("the outbox loses no message of two tabs that write before either sees what the other has written", async () => {
    const [one, two] = [memoryStorage(), memoryStorage()];
    const [here, there] = [await loadOutbox(), await loadOutbox()];
    const others = { ...send, id: "00000000-0000-4000-8000-000000000003", content: "From the other tab" };
    vi.stubGlobal("localStorage", one);
    here.add(send);
    vi.stubGlobal("localStorage", two);
    there.add(others);
    // Each entry that is written comes to the other tab as it is; the later of one name stays.
    vi.stubGlobal("localStorage", memoryStorage({ ...one, ...two }));
    for (const outbox of [here, there]) {
      outbox.reread();
      expect(outbox.all()).toEqual([send, others]);
    }
  });

  test("a change that there is no room for counts in this page, whatever others have changed since", async () => {
    vi.stubGlobal("localStorage", memoryStorage({}, 600));
    const outbox = await loadOutbox();
    outbox.add(send);
    outbox.update(send.id, { content: "On its way, at length".repeat(40) });
    outbox.reread();
    expect(outbox.get(send.id)?.content).toBe("On its way, at length".repeat(40));
    // What fits is kept again, for the next page too.
    outbox.update(send.id, { content: "Short" });
    expect((await loadOutbox()).all()).toEqual([{ ...send, content: "Short" }]);
  });

  test("the outbox takes over what another tab adds, and hears of nothing else", async () => {
    let onStorage: (event: { key: string | null }) => void = () => undefined;
    vi.stubGlobal("addEventListener", (_name: string, listener: typeof onStorage) => void (onStorage = listener));
    const outbox = await loadOutbox();
    const noted = vi.fn<() => void>();
    outbox.onElsewhere(noted);
    const key = `outbox:${send.id}`;
    localStorage.setItem(key, JSON.stringify({ order: 1, send }));
    onStorage({ key });
    expect([outbox.all(), noted.mock.calls.length]).toEqual([[send], 1]);
    onStorage({ key: "theme" });
    expect(noted).toHaveBeenCalledTimes(1);
  });

  test("the outbox keeps the place of a message that another one replaces", async () => {
    const outbox = await loadOutbox();
    outbox.add(send);
    outbox.add({ ...send, id: "00000000-0000-4000-8000-000000000003" });
    outbox.replace(send.id, { ...send, id: "00000000-0000-4000-8000-000000000009" });
    expect((await loadOutbox()).all().map(({ id }) => id.at(-1))).toEqual(["9", "3"]);
  });

  test("the outbox hands out the same list until something changes, so nothing renders in vain", async () => {
    const outbox = await loadOutbox();
    outbox.add(send);
    expect(outbox.ofChat(send.chatId)).toBe(outbox.ofChat(send.chatId));
    expect(outbox.ofChat("another")).toBe(outbox.ofChat("a third"));
  });
});
