import * as z from "zod/mini";
import { beforeEach, expect, test, vi } from "vitest";
import { memoryStorage } from "#test/support/memory-storage.ts";

const [ANN, BOB] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;

/** The modules as a page that was just loaded has them. */
async function loadPage() {
  vi.resetModules();
  const [own, drafts, { onceSettings }, { readDraftFiles, writeDraftFiles, toReadyFile }] = await Promise.all([
    import("#web/lib/own-storage.ts"),
    import("#web/features/conversation/composer/drafts.ts"),
    import("#web/features/conversation/chat-settings/once-settings.ts"),
    import("#web/features/conversation/composer/draft-files.ts"),
  ]);
  return { ...own, ...drafts, onceSettings, readDraftFiles, writeDraftFiles, arrived: toReadyFile };
}

const file = {
  id: "00000000-0000-4000-8000-00000000000f",
  name: "plan.pdf",
  type: "application/pdf",
  size: 1,
  kind: "pdf",
  url: "/f",
  unread: null,
} as const;

beforeEach(() => {
  vi.stubGlobal("localStorage", memoryStorage());
});

test("what an account typed is out of sight without it, on the same page and on the next, and there when it is back", async () => {
  const page = await loadPage();
  page.setOwner(ANN);
  page.writeDraft("new", "Ann's");
  page.onceSettings.set("new", { model_id: "a/b" });
  page.writeDraftFiles("new", () => [page.arrived(file)]);
  for (const next of [null, BOB]) {
    page.setOwner(next);
    expect([page.readDraft("new"), page.onceSettings.get("new"), page.readDraftFiles("new").files]).toEqual(["", null, []]);
  }
  const later = await loadPage();
  expect(later.readDraft("new")).toBe("");
  later.setOwner(ANN);
  expect([later.readDraft("new"), later.onceSettings.get("new")?.model_id]).toEqual(["Ann's", "a/b"]);
  expect(later.readDraftFiles("new").files).toHaveLength(1);
  later.forgetOwnOfOthers(BOB);
  expect(Object.keys(localStorage)).toEqual([]);
});

test("what a visitor typed is the account's that signs in, below what it left itself", async () => {
  const page = await loadPage();
  page.setOwner(ANN);
  page.writeDraft("new", "Ann's");
  page.setOwner(null);
  page.writeDraft("new", "A visitor's");
  page.writeDraft("chat", "More");
  page.setOwner(ANN);
  expect([page.readDraft("new"), page.readDraft("chat")]).toEqual(["Ann's\n\nA visitor's", "More"]);
  page.setOwner(null);
  expect([page.readDraft("new"), page.readDraft("chat")]).toEqual(["", ""]);
  expect(Object.keys(localStorage).every((key) => key.startsWith(`${ANN}/`))).toBe(true);
});

test("a visitor's draft follows them in where nothing may be stored", async () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem() {
      throw new Error("full");
    },
    removeItem: () => undefined,
  });
  const page = await loadPage();
  page.writeDraft("new", "a visitor's");
  page.setOwner(ANN);
  expect(page.readDraft("new")).toBe("a visitor's");
  page.setOwner(BOB);
  expect(page.readDraft("new")).toBe("");
});

test("who keeps nothing on the device has it in the tab alone, with what lay on the device before, until it is kept again or forgotten", async () => {
  vi.stubGlobal("sessionStorage", memoryStorage());
  const page = await loadPage();
  const storage = await import("#web/lib/storage.ts");
  localStorage.setItem("theme", '"dark"');
  page.writeDraft("new", "typed before signing in");
  storage.setEphemeral(true);
  page.setOwner(ANN);
  page.writeDraft("chat", "and after");
  // Which writes down what is not written yet.
  page.setOwner(null);
  expect(Object.keys(localStorage).toSorted()).toEqual(["keeps-nothing", "theme"]);
  // The next page of the tab knows it, another tab finds nothing.
  const later = await loadPage();
  later.setOwner(ANN);
  expect([later.readDraft("new"), later.readDraft("chat")]).toEqual(["typed before signing in", "and after"]);
  const here = sessionStorage;
  vi.stubGlobal("sessionStorage", memoryStorage());
  const other = await loadPage();
  other.setOwner(ANN);
  expect(other.readDraft("chat")).toBe("");
  vi.stubGlobal("sessionStorage", here);

  const again = await import("#web/lib/storage.ts");
  again.setEphemeral(false);
  expect(Object.keys(sessionStorage)).toEqual([]);
  expect(JSON.stringify(Object.values(localStorage))).toContain("and after");
  again.setEphemeral(true);
  again.forgetStored();
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([["theme"], []]);
  expect(again.isEphemeralBrowser()).toBe(false);
});

test("what is typed stays where the server says that it is kept, and a full store loses nothing", async () => {
  vi.stubGlobal("sessionStorage", memoryStorage());
  const page = await loadPage();
  const [storage, { applyStoragePreference }] = [
    await import("#web/lib/storage.ts"),
    await import("#web/features/people/session/keep-as-asked.ts"),
  ];
  page.setOwner(ANN);
  page.writeDraft("chat", "kept");
  page.flushDrafts();
  const { readSession } = await import("#web/features/people/session/read-session.ts");
  vi.stubGlobal("fetch", async () => Response.json({ user: { id: ANN }, features: {}, keeps_nothing: false }));
  await readSession({ signal: new AbortController().signal });
  expect([storage.isEphemeralBrowser(), localStorage[`${ANN}/draft:chat`]]).toEqual([false, '"kept"']);
  await applyStoragePreference(true);
  expect(Object.keys(localStorage)).toEqual(["keeps-nothing"]);
  vi.stubGlobal("localStorage", memoryStorage({}, 3));
  storage.setEphemeral(false);
  expect(sessionStorage[`${ANN}/draft:chat`]).toBe('"kept"');
});

test("whoever leaves has nothing written down by what the page does on its way out, nor by other tabs, until somebody comes", async () => {
  const listeners: ((event: { key: string; newValue: string | null }) => void)[] = [];
  vi.stubGlobal("sessionStorage", memoryStorage());
  vi.stubGlobal("addEventListener", (_: string, listener: (typeof listeners)[number]) => listeners.push(listener));
  const draftOf = async (name: string) => {
    vi.resetModules();
    const [{ stored, ...storage }, { markSigningOut, markSignedOut }, { offlineStore }] = await Promise.all([
      import("#web/lib/storage.ts"),
      import("#web/lib/api.ts"),
      import("#web/lib/offline-store.ts"),
    ]);
    return {
      ...storage,
      noteLeaving: markSigningOut,
      noteLeft: markSignedOut,
      offlineStore,
      draft: stored(`artifact-draft:${ANN}:${name}`, z.string(), ""),
    };
  };
  const [here, there, late] = [await draftOf("here"), await draftOf("there"), await draftOf("late")];
  here.noteLeaving();
  expect([here.draft.write("typed"), there.draft.write("typed")]).toEqual([false, false]);
  await expect(here.offlineStore.write(ANN, "chats", [])).rejects.toThrow("has left");
  await expect(there.offlineStore.change(ANN, "chats", () => [])).rejects.toThrow("has left");
  // A page that began afterwards is nobody's of theirs.
  const next = await draftOf("next");
  expect(next.draft.write("a visitor's")).toBe(true);
  here.forgetStored();
  here.noteLeft();
  for (const listener of listeners) listener({ key: "leaving", newValue: "true" });
  expect([here, there, late].map(({ draft }) => draft.write("typed"))).toEqual([false, false, false]);
  expect(Object.keys(localStorage)).toEqual([]);
  there.resumePersisting();
  expect(there.draft.write("of whoever came")).toBe(true);
});

test("who kept nothing on the device and leaves in one tab has left nothing in another", async () => {
  const listeners: ((event: { key: string; newValue: string | null }) => void)[] = [];
  vi.stubGlobal("sessionStorage", memoryStorage());
  vi.stubGlobal("addEventListener", (_: string, listener: (typeof listeners)[number]) => listeners.push(listener));
  localStorage.setItem("keeps-nothing", "true");
  const page = await loadPage();
  page.setOwner(ANN);
  page.writeDraft("chat", "typed here");
  page.flushDrafts();
  expect(JSON.stringify(sessionStorage)).toContain("typed here");
  for (const listener of listeners) listener({ key: "leaving", newValue: "true" });
  page.setOwner(null);
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []]);
});

test("who signs out is told what only this browser has: messages, an artifact's unsaved text, and without a network what is typed", async () => {
  const page = await loadPage();
  const [{ unsentAtSignOut }, { outbox }] = [
    await import("#web/features/conversation/sign-out/lost-at-sign-out.ts"),
    await import("#web/features/conversation/sending/outbox.ts"),
  ];
  vi.stubGlobal("navigator", { onLine: true });
  page.setOwner(ANN);
  page.writeDraft("chat", "typed");
  page.flushDrafts();
  expect(unsentAtSignOut()).toBeNull();
  vi.stubGlobal("navigator", { onLine: false });
  const typed = "What you typed is not saved on the server and will be lost.";
  expect(unsentAtSignOut()).toBe(typed);
  vi.stubGlobal("navigator", { onLine: true });
  localStorage.setItem(`artifact-draft:${ANN}:a`, "{}");
  expect(unsentAtSignOut()).toBe(typed);
  const send = {
    chatId: "c",
    content: "hi",
    settings: { model_id: "a/b" },
    ownerId: ANN,
    isFirst: false,
    state: { kind: "queued" },
  } as const;
  outbox.add({ ...send, id: "1" });
  expect(unsentAtSignOut()).toBe("1 message was not sent and will be lost.");
  outbox.add({ ...send, id: "2" });
  expect(unsentAtSignOut()).toBe("2 messages were not sent and will be lost.");
});
