import { beforeEach, describe, expect, test, vi } from "vitest";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";

const CHAT = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";

/** The store of a page that was just loaded. */
async function loadPage() {
  vi.resetModules();
  return import("#web/features/conversation/chat-settings/picked-settings.ts");
}

describe("what was picked for a chat", () => {
  let page: Awaited<ReturnType<typeof loadPage>>;
  beforeEach(async () => {
    page = await loadPage();
  });

  test("what was picked for a chat goes with its next message, beside the model that it goes to", () => {
    page.pick(CHAT, { tool_categories: ["synthesis"] });
    page.pick(CHAT, { model_id: "a/model" });
    expect(page.settingsToSend(CHAT, "a/model")).toEqual({ model_id: "a/model", tool_categories: ["synthesis"] });
    expect(page.settingsToSend(CHAT, "b/model").model_id).toBe("b/model");
    expect([page.readPicked(OTHER), page.readPicked(null)]).toEqual([{}, {}]);
  });

  test("what was picked for the chat to come is that chat's once it is made, and the next one starts from the defaults", () => {
    page.pick(null, { tool_categories: ["synthesis"] });
    const sent = page.settingsToSend(null, "auto");
    page.movePicked(null, CHAT, sent);
    expect([page.readPicked(CHAT), page.readPicked(null)]).toEqual([sent, {}]);
    // Refused: it is the new chat's again, with what was picked since.
    page.pick(CHAT, { tool_categories: [] });
    page.movePicked(CHAT, null, sent);
    expect([page.readPicked(CHAT), page.readPicked(null)]).toEqual([{}, { model_id: "auto", tool_categories: [] }]);
  });

  test("what was picked for a chat is forgotten when the chat has the same, or it was refused; a later choice is not", () => {
    page.pick(CHAT, { model_id: "a/model", tool_categories: ["synthesis"] });
    page.forgetPickedSettings(CHAT, { model_id: "b/model", tool_categories: ["synthesis"] });
    expect(page.readPicked(CHAT)).toEqual({ model_id: "a/model" });
    page.forgetPickedSettings(CHAT, { model_id: "a/model" });
    expect(page.readPicked(CHAT)).toEqual({});
  });

  test("what was picked for a chat holds for one message where it is a research: spent with it, and never what a chat is set to", () => {
    const research = { model_id: DEEP_RESEARCH_MODEL_ID, tool_categories: ["synthesis"] };
    expect([page.withoutOneTimeSettings(research), page.oneTimeSettings(research)]).toEqual([
      { tool_categories: ["synthesis"] },
      { model_id: DEEP_RESEARCH_MODEL_ID },
    ]);
    expect(page.oneTimeSettings({ model_id: "auto" })).toEqual({});
    page.pick(CHAT, research);
    page.forgetPickedSettings(CHAT, page.withoutOneTimeSettings(research));
    expect(page.readPicked(CHAT)).toEqual({ model_id: DEEP_RESEARCH_MODEL_ID });
    page.pick(CHAT, { tool_categories: [] });
    page.spendPicked(CHAT);
    expect(page.readPicked(CHAT)).toEqual({ tool_categories: [] });
  });
});
