import { beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "#test/support/memory-storage.ts";

/** The modules as a page that was just loaded has them: memory is gone, the browser's store is not. */
async function loadPage() {
  vi.resetModules();
  const [{ onceSettings, consumeOnceSettings }, { insertedSteps, sentAsOne, stepsAsInserted }] = await Promise.all([
    import("#web/features/conversation/chat-settings/once-settings.ts"),
    import("#web/features/conversation/queue/queue-route.ts"),
  ]);
  return { onceSettings, takeOnce: consumeOnceSettings, insertedSteps, sentAsOne, stepsAsInserted };
}

describe("what an inserted prompt sets for the next message", () => {
  beforeEach(() => {
    vi.stubGlobal("localStorage", memoryStorage());
  });

  test("what an inserted prompt sets for the next message outlives the page as the draft does", async () => {
    const before = await loadPage();
    before.onceSettings.set("chat", { model_id: "a/b", tool_categories: ["search"] });
    before.sentAsOne.set("chat", true);
    before.insertedSteps.set("chat", { text: "one\n\n---\n\ntwo", steps: ["one", "two"] });
    const after = await loadPage();
    expect(after.onceSettings.get("chat")).toEqual({ model_id: "a/b", tool_categories: ["search"] });
    expect(after.onceSettings.get("another")).toBeNull();
    expect(after.sentAsOne.get("chat")).toBe(true);
    expect(after.stepsAsInserted("chat", "one\n\n---\n\ntwo ")).toEqual(["one", "two"]);
    expect(after.stepsAsInserted("chat", "something else")).toBeNull();
  });

  test("what an inserted prompt sets for the next message goes for good once it is spent", async () => {
    const page = await loadPage();
    page.onceSettings.set("chat", { persona_id: "p" });
    expect(page.takeOnce("chat")).toEqual({ persona_id: "p" });
    page.sentAsOne.set("chat", true);
    page.sentAsOne.set("chat", false);
    expect(Object.keys(localStorage)).toEqual([]);
    expect((await loadPage()).onceSettings.get("chat")).toBeNull();
  });

  test("what an inserted prompt sets for the next message is dropped where another version wrote it", async () => {
    localStorage.setItem("once:chat", JSON.stringify({ model_id: 4 }));
    expect((await loadPage()).onceSettings.get("chat")).toBeNull();
  });
});
