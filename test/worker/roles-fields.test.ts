import { beforeAll, describe, expect, it } from "vitest";
import { getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import type { BodyOf, Endpoint } from "#shared/contracts/endpoint.ts";
import { BulkAction, changeChats } from "#shared/contracts/chat/inbox.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { changeQueue } from "#shared/contracts/chat/queue.ts";
import { search } from "#shared/contracts/search.ts";
import { removeShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { type Action, can, type Role } from "#shared/permissions.ts";
import { make } from "#test/support/knowledge.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply } from "#test/support/replies.ts";
import { makeTeam, share, shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

type Person = Awaited<ReturnType<typeof signIn>>;
type Patch = BodyOf<typeof updateChat>;
type Field = keyof Patch & keyof ChatDetails;

const SOME_ID = "0d3c4b7e-5f6a-4b8c-9d0e-1f2a3b4c5d6e";

/** What each field of the one call with many rights takes, and two values of it. */
const FIELDS: Record<keyof Patch, { right: Action; to: Patch; back: Patch }> = {
  title: { right: "rename", to: { title: "Another" }, back: { title: "Title" } },
  model_id: { right: "settings", to: { model_id: CHEAP_MODEL }, back: { model_id: null } },
  tool_categories: { right: "settings", to: { tool_categories: ["search"] }, back: { tool_categories: [] } },
  persona_id: { right: "settings", to: { persona_id: "" }, back: { persona_id: null } },
  context_ids: { right: "settings", to: { context_ids: [SOME_ID] }, back: { context_ids: [] } },
  off_record: { right: "settings", to: { off_record: true }, back: { off_record: false } },
  public: { right: "publish", to: { public: true }, back: { public: false } },
  isRead: { right: "mark", to: { isRead: false }, back: { isRead: true } },
  isPinned: { right: "mark", to: { isPinned: true }, back: { isPinned: false } },
  archived: { right: "mark", to: { archived: false }, back: { archived: false } },
};
const fields = Object.keys(FIELDS).filter((name): name is Field => name in FIELDS);

/** Sound bodies of calls whose sample names only one of what they can do. */
const BODIES: { what: string; endpoint: Endpoint; body: unknown }[] = [
  { what: "a share with a team", endpoint: shareChat, body: { type: "team", teamId: crypto.randomUUID(), permissionLevel: "editor" } },
  { what: "an edit in the queue", endpoint: changeQueue, body: { edit: { id: crypto.randomUUID(), content: "mine" } } },
  { what: "an order of the queue", endpoint: changeQueue, body: { order: [] } },
  { what: "sending out of the queue", endpoint: changeQueue, body: { send_now: crypto.randomUUID() } },
  { what: "discarding a call", endpoint: decideToolCall, body: { decision: "discard" } },
  { what: "allowing a tool for good", endpoint: decideToolCall, body: { decision: "always" } },
];

/** A shared chat and everybody who might ask for it; the one who left had every right before. */
async function everybody() {
  const chat = await startSharedChat(["editor", "viewer"], "say between ourselves");
  const [former, stranger] = [await signIn(), await signIn()];
  await share(chat.owner, chat.chatId, former.email, "editor");
  await until("the list of who left", async () => (await former.take(listChats, {})).chats.length === 1);
  await chat.owner.take(removeShare, {
    params: { id: chat.chatId, shareId: await shareIdOf(chat.owner, chat.chatId, former.email) },
  });
  const people: [Role, Person][] = [
    ["stranger", former],
    ["stranger", stranger],
    ["viewer", chat.as("viewer")],
    ["editor", chat.as("editor")],
    ["owner", chat.owner],
  ];
  for (const [role, person] of people) {
    const isMember = role !== "stranger";
    await until("everybody's list", async () => (await person.take(listChats, {})).chats.some(({ id }) => id === chat.chatId) === isMember);
  }
  return { ...chat, former, stranger, people };
}

describe("what a call is asked to do, for each role", () => {
  let chat: Awaited<ReturnType<typeof everybody>>;
  beforeAll(async () => {
    chat = await everybody();
    // Nobody puts knowledge in that they may not use.
    await make(chat.owner, { id: SOME_ID, team_id: await makeTeam("Team", [chat.owner, chat.as("editor")]) });
    await until("the chat at rest", async () => {
      const { title, isStreaming } = (await chat.owner.take(getChat, { params: { id: chat.chatId } })).chat;
      return title !== "" && !isStreaming;
    });
  });

  function refusal(role: Role, right: Action): string | null {
    if (can(role, right)) return null;
    return can(role, "read") ? "FORBIDDEN" : "NOT_FOUND";
  }

  it("the fields of a call that are tried for each role are all that there are", () => {
    expect(Object.keys(FIELDS).toSorted()).toEqual(Object.keys(updateChat.body?.shape ?? {}).toSorted());
  });

  it.each(fields)("updateChat changes %s for who may, and nothing for who may not, alone and beside their own marks", async (field) => {
    const { right, to, back } = FIELDS[field];
    const params = { id: chat.chatId };
    const seen = async () => (await chat.owner.take(getChat, { params })).chat[field];
    for (const [role, person] of chat.people) {
      await chat.owner.take(updateChat, { params, body: back });
      const before = await seen();
      for (const body of [to, { ...to, isPinned: true }]) {
        const answer = await person.call(updateChat, { params, body });
        const outcome = answer.ok ? answer.body.chat[field] : answer.error.code;
        expect([role, outcome]).toEqual([role, refusal(role, right) ?? to[field]]);
      }
      // A mark is each person's own: only the owner's shows here.
      const isSeen = can(role, right) && (right !== "mark" || role === "owner");
      expect([role, await seen()]).toEqual([role, isSeen ? to[field] : before]);
    }
    await chat.owner.take(updateChat, { params, body: { ...back, isPinned: false } });
  });

  it.each(BODIES)("$what is for those who may", async ({ endpoint, body }) => {
    const path = endpoint.path.replace(":id", chat.chatId).replace(":callId", crypto.randomUUID());
    const init = { method: endpoint.method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answers = await Promise.all(chat.people.map(async ([, person]) => (await person.fetch(path, init)).text()));
    const forMembers = /"code":"(?:TEAM_NOT_FOUND|NOT_FOUND|INVALID_INPUT)"|"items":/;
    for (const [index, [role]] of chat.people.entries()) {
      const refused = refusal(role, endpoint.action ?? "read");
      expect(`${role} ${answers[index]}`).toMatch(refused ? new RegExp(`${role} .*"code":"${refused}"`) : forMembers);
    }
  });

  it.each(BulkAction.options)("'%s' on many chats does what each may, and knows nothing of others' chats", async (action) => {
    const contents = async () =>
      (await chat.owner.take(listMessages, { params: { id: chat.chatId } })).messages.map(({ content }) => content);
    const before = await contents();
    const member = action === "delete" ? "FORBIDDEN" : action === "archive" ? "SHARED_NOT_ARCHIVED" : "ok";
    // The owner may delete it, which everybody would notice.
    for (const [role, person] of chat.people.filter(([who]) => action !== "delete" || who !== "owner")) {
      const answer = await person.take(changeChats, { body: { ids: [chat.chatId], action } });
      const outcome = answer.results.map((result) => (result.ok ? "ok" : result.code));
      expect([role, outcome]).toEqual([role, [role === "stranger" ? "NOT_FOUND" : member]]);
      if (answer.undo_token) await person.take(changeChats, { body: { undo: answer.undo_token } });
    }
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(await contents()).toEqual(before);
  });

  it("a search finds it for members alone", async () => {
    for (const [role, person] of chat.people) {
      const hits = await until("a whole answer", async () => {
        const answer = await person.take(search, { query: { q: "between ourselves" } });
        return answer.isIncomplete ? null : answer.hits;
      });
      expect([role, hits.length > 0]).toEqual([role, can(role, "search")]);
    }
  });

  it("a socket sends its events to members alone, and takes nobody else's presence", async () => {
    const tabs = await Promise.all(chat.people.map(async ([role, person]) => ({ role, person, tab: await openTab(person) })));
    for (const { tab } of tabs) tab.say({ chat_id: chat.chatId, visible: true, typing: true, opened: true });
    const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content: "say news", model_id: CHEAP_MODEL };
    const { replyId } = await chat.as("editor").take(sendMessage, { params: { id: chat.chatId }, body });
    await readReply(chat.owner, { chatId: chat.chatId, replyId });
    const members = tabs.filter(({ role }) => can(role, "read"));
    const ids = members.map(({ person }) => person.user.id).toSorted();
    for (const { tab } of members) {
      await until("the news", () => tab.events.some((event) => event.type === "reply.ended" && event.reply_id === replyId));
      await until("everybody, and nobody besides", () => {
        const here = tab.events.findLast((event) => event.type === "presence.changed");
        return (
          here?.people
            .map(({ user_id: id }) => id)
            .toSorted()
            .join() === ids.join()
        );
      });
    }
    const others = tabs.filter(({ role }) => !can(role, "read"));
    expect(others.flatMap(({ tab }) => tab.events).filter((event) => JSON.stringify(event).includes(chat.chatId))).toEqual([]);
    for (const { tab } of tabs) tab.close();
  });
});

it("the pages of a chat are the same nothing for everyone until it is published, and then a page; only members are led back into it", async () => {
  const chat = await everybody();
  const readers: [Role, Client][] = [...chat.people, ["stranger", visitor()]];
  const page = async (by: Client) => {
    const response = await by.fetch(`/p/${chat.chatId}`);
    return { status: response.status, html: await response.text() };
  };
  const none = await page(visitor());
  expect(none.status).toBe(404);
  for (const [role, reader] of readers) expect([role, await page(reader)]).toEqual([role, none]);
  await chat.as("editor").take(updateChat, { params: { id: chat.chatId }, body: { public: true } });
  for (const [role, reader] of readers) {
    const { status, html } = await page(reader);
    expect([role, status, html.includes(`href="/c/${chat.chatId}"`)]).toEqual([role, 200, can(role, "search")]);
  }
  await chat.as("editor").take(updateChat, { params: { id: chat.chatId }, body: { public: false } });
  for (const [role, reader] of readers) expect([role, await page(reader)]).toEqual([role, none]);
});

it("a team's members may what their team may, and nothing once it may not", async () => {
  const { owner, chatId } = await startSharedChat([]);
  const member = await signIn();
  const teamId = await makeTeam("Crew", [owner, member]);
  const rename = { params: { id: chatId }, body: { title: "Theirs" } };
  const code = async () => {
    const answer = await member.call(updateChat, rename);
    return answer.ok ? "ok" : answer.error.code;
  };
  const seen = [await code()];
  for (const permissionLevel of ["viewer", "editor"] as const) {
    await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel } });
    seen.push(await code());
  }
  expect(seen).toEqual(["NOT_FOUND", "FORBIDDEN", "ok"]);
});
