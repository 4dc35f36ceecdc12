import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deliver } from "#web/features/conversation/sending/send-message.ts";
import { outbox, type PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { enqueue } from "#web/features/conversation/queue/enqueue.ts";
import { changeMany } from "#web/features/conversation/chat-list/change-many.ts";
import { readPage } from "#web/features/conversation/chat-cache/use-chats.ts";
import { choiceFor } from "#web/features/conversation/workspaces/settle-choice.ts";
import { setWorkspace, teamToBeginIn } from "#web/features/people/workspaces/workspace-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const CREW = "0d3c4b7e-5f6a-4b8c-9d0e-1f2a3b4c5d6e";
const crew = { id: CREW, name: "Crew", user_role: "member", content_admin_only: false } as const;

let refusal = { error: "Not now.", code: "NOT_FOUND" };
let asked: { url: string; body: unknown }[] = [];

beforeEach(() => {
  asked = [];
  refusal = { error: "Not now.", code: "NOT_FOUND" };
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    asked.push({ url, body: typeof body === "string" ? JSON.parse(body) : null });
    return Response.json(refusal, { status: 404 });
  });
  queryClient.setQueryData(keys.session, { user: { id: "me", anonymous: false }, features: {} });
});

afterEach(() => {
  setWorkspace(null);
  queryClient.clear();
  vi.unstubAllGlobals();
});

it("a chat begins in the team of the workspace, not in 'personal', in 'all', or where one may not share", () => {
  expect(teamToBeginIn()).toBeNull();
  setWorkspace(choiceFor("me", crew));
  expect(teamToBeginIn()).toBe(CREW);
  for (const to of ["personal", "all", { ...crew, content_admin_only: true }] as const) {
    setWorkspace(choiceFor("me", to));
    expect(teamToBeginIn()).toBeNull();
  }
  // What another account chose on this device.
  setWorkspace(choiceFor("other", crew));
  expect(teamToBeginIn()).toBeNull();
});

it("a first message says its team each time it is sent, and goes out as one's own when the team is gone", async () => {
  const send: PendingSend = {
    id: "m",
    chatId: "c",
    content: "Hello",
    settings: { model_id: "auto" },
    ownerId: "me",
    parentId: null,
    isFirst: true,
    teamId: CREW,
    state: { kind: "sending" },
  };
  outbox.add(send);
  refusal = { error: "Not now.", code: "RATE_LIMITED" };
  await deliver(send);
  await deliver(send);
  const first = { url: "/api/chat/c/messages", body: expect.objectContaining({ id: "m", team_id: CREW }) };
  expect(asked).toEqual([first, first]);
  // The team is gone: nobody's words are lost for that.
  refusal = { error: "This team was not found.", code: "TEAM_NOT_FOUND" };
  await deliver(send);
  expect(asked.slice(2)).toEqual([first, { url: first.url, body: expect.not.objectContaining({ team_id: expect.anything() }) }]);
  expect(outbox.get("m")?.teamId).toBeUndefined();
  outbox.remove("m");
});

it("a chain of steps begins its chat in the team too", async () => {
  setWorkspace(choiceFor("me", crew));
  await enqueue({
    chatId: null,
    content: "One",
    next: ["Two"],
    modelId: "auto",
    carried: null,
    isChain: true,
    mustQueue: false,
    sendAtOnce: () => undefined,
    onCreated: () => undefined,
  });
  expect(asked).toEqual([{ url: "/api/chats", body: expect.objectContaining({ team_id: CREW }) }]);
});

it("lists and what is done with all of one are asked for with their workspace", async () => {
  await expect(readPage({ workspace: CREW, view: "all" })).rejects.toThrow("Not now.");
  await expect(readPage({ workspace: "all", view: "all" })).rejects.toThrow("Not now.");
  await changeMany("pin", { workspace: "personal", view: "archived" });
  expect(asked.map(({ url }) => url)).toEqual([
    expect.stringContaining(`workspace=${CREW}`),
    expect.not.stringContaining("workspace"),
    expect.any(String),
  ]);
  expect(asked[2]?.body).toEqual({ filter: { view: "archived", workspace: "personal" }, action: "pin" });
});
