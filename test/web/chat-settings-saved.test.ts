import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { NO_SETTINGS, type ChatSettings } from "#shared/entities/chat-settings.ts";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { pick, readPicked } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { changeSettings, rereadSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { enqueue } from "#web/features/conversation/queue/enqueue.ts";
import { moveToQueue } from "#web/features/conversation/sending/wait-instead.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const AT = "2026-11-20T10:00:00.000Z";

/** A chat as the server returns it. */
function chatWith(id: string, settings: Partial<ChatSettings>) {
  return {
    id,
    title: "A chat",
    owner_id: crypto.randomUUID(),
    team_id: null,
    created_at: AT,
    last_updated_at: AT,
    public: false,
    permission: "owner",
    ...NO_SETTINGS,
    ...settings,
  };
}

type Asked = { method: string; path: string; body: unknown };

/** A server whose chats are set like this; returns what it is asked. */
function serve(settings: Partial<ChatSettings>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    asked.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : null });
    const id = path.split("/")[3] ?? "";
    if (path.endsWith("/queue")) return Response.json({ ids: [crypto.randomUUID()] }, { status: 202 });
    return Response.json({ chat: chatWith(id, settings) });
  });
  return asked;
}

const writes = (asked: Asked[]) => asked.filter(({ method }) => method !== "GET");

describe("a chat's settings", () => {
  let chatId = "";
  const hold = (settings: Partial<ChatSettings>) => queryClient.setQueryData(keys.chat(chatId), { chat: chatWith(chatId, settings) });
  beforeEach(() => {
    chatId = crypto.randomUUID();
  });
  afterEach(() => queryClient.clear());

  test("a chat's settings are saved as they are picked, but for what one message alone is sent with", async () => {
    const asked = serve({ model_id: "b/model" });
    hold({ model_id: "a/model" });
    await changeSettings(chatId, { model_id: "b/model" }, "Not changed");
    await changeSettings(chatId, { model_id: DEEP_RESEARCH_MODEL_ID }, "Not changed");
    expect(writes(asked).map(({ body }) => body)).toEqual([{ model_id: "b/model" }]);
    expect(readPicked(chatId)).toEqual({ model_id: DEEP_RESEARCH_MODEL_ID });
  });

  test("a chat's settings are what a chat that a queued message makes has, but for what that message alone is sent with", async () => {
    const asked = serve({ tool_categories: ["synthesis"] });
    pick(null, { model_id: DEEP_RESEARCH_MODEL_ID, tool_categories: ["synthesis"] });
    const made: string[] = [];
    await enqueue({
      chatId: null,
      content: "one\n---\ntwo",
      modelId: DEEP_RESEARCH_MODEL_ID,
      carried: null,
      isChain: true,
      mustQueue: false,
      sendAtOnce: () => undefined,
      onCreated: (id) => made.push(id),
    });
    expect(writes(asked)).toEqual([
      { method: "POST", path: "/api/chats", body: { id: made[0], tool_categories: ["synthesis"] } },
      expect.objectContaining({ body: expect.objectContaining({ model_id: DEEP_RESEARCH_MODEL_ID, tool_categories: ["synthesis"] }) }),
    ]);
    // The chat has them: what another tab changes from now on is seen here.
    await vi.waitFor(() => expect(readPicked(made[0] ?? "")).toEqual({}));
  });

  test("a chat's settings are the server's again once a message that carried them waits in the queue", async () => {
    serve({ model_id: "a/model", tool_categories: ["synthesis"] });
    hold({});
    const input = {
      content: "one",
      carried: null,
      isChain: false,
      mustQueue: true,
      sendAtOnce: () => undefined,
      onCreated: () => undefined,
    };
    pick(chatId, { tool_categories: ["synthesis"] });
    await enqueue({ ...input, chatId, modelId: "a/model" });
    await vi.waitFor(() => expect(readPicked(chatId)).toEqual({}));

    pick(chatId, { tool_categories: ["synthesis"] });
    const send = { id: crypto.randomUUID(), chatId, content: "two", settings: { model_id: "a/model", tool_categories: ["synthesis"] } };
    outbox.add({ ...send, ownerId: null, isFirst: false, state: { kind: "sending" } });
    await moveToQueue({ ...send, ownerId: null, isFirst: false, state: { kind: "sending" } });
    await vi.waitFor(() => expect(readPicked(chatId)).toEqual({}));
  });

  test("a chat's settings are read where no part of the page reads the chat yet", async () => {
    serve({ tool_categories: ["synthesis"] });
    pick(chatId, { tool_categories: ["synthesis"] });
    await rereadSettings(chatId);
    expect(readPicked(chatId)).toEqual({});
  });
});
