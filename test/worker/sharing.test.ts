import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, deleteChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { editMessage, listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { leaveChat, listShares, removeShare, removeTeamShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import { listUserTeams } from "#shared/contracts/account/teams.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply, settledOf, startChatAndRead } from "#test/support/replies.ts";
import { makeTeam, share, shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { messagesOf } from "#test/support/runs.ts";
import { addTestTools, ran, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { upsertUserShare } from "#worker/conversation/sharing/queries.ts";

function rowOf(client: Client, chatId: string) {
  return until("the chat in the list", async () => {
    const { chats } = await client.take(listChats, { query: {} });
    return chats.find(({ id }) => id === chatId);
  });
}

function awaitRemoval(client: Client, chatId: string) {
  return until("the chat gone from the list", async () => {
    const { chats } = await client.take(listChats, { query: {} });
    return !chats.some(({ id }) => id === chatId);
  });
}

it("sharing with people ends a turn that waits for someone who lost the chat, so the others can go on", async () => {
  addTestTools();
  const { owner, chatId, replyId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  await switchOnTestTools(editor);
  const body = {
    id: crypto.randomUUID(),
    parent_id: replyId,
    content: 'call testSend {"name":"ann"}\nthen\nsay sent',
    model_id: CHEAP_MODEL,
  };
  await editor.take(sendMessage, { params: { id: chatId }, body });
  const lastStatus = async () => (await owner.take(listMessages, { params: { id: chatId } })).messages.at(-1)?.status;
  await until("the reply to wait", async () => (await lastStatus()) === "waiting");
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, editor.email) } });
  await until("the reply to have ended", async () => (await lastStatus()) === "stopped");
  expect(ran).not.toContain("ann");
  const last = (await owner.take(listMessages, { params: { id: chatId } })).messages.at(-1);
  const next = { id: crypto.randomUUID(), parent_id: last?.id ?? "", content: "say on we go", model_id: CHEAP_MODEL };
  const { replyId: nextId } = await owner.take(sendMessage, { params: { id: chatId }, body: next });
  expect(settledOf(await readReply(owner, { chatId, replyId: nextId }))).toMatchObject({ status: "done" });
});

it("sharing with people gives a share to who signed up in the moment they were invited", async () => {
  const { owner, chatId } = await startSharedChat([]);
  const { email, user } = await signIn();
  await upsertUserShare(openDatabase(env.DB), { chatId, email, userId: null, level: "viewer", sharedBy: owner.user.id });
  const { userShares } = await owner.take(listShares, { params: { id: chatId } });
  expect(userShares).toMatchObject([{ userId: user.id, pending: false }]);
});

it("sharing with people puts the chat on their list as what they may do there, and says so to its owner", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer", "editor"]);
  expect(await rowOf(as("viewer"), chatId)).toMatchObject({
    permissionLevel: "viewer",
    isShared: true,
    hasBeenShared: false,
    sharedByName: owner.user.display_name,
    isRead: false,
  });
  expect(await rowOf(as("editor"), chatId)).toMatchObject({ permissionLevel: "editor", isShared: true });
  await until("the owner's row", async () => (await rowOf(owner, chatId)).hasBeenShared);
  const shares = await owner.take(listShares, { params: { id: chatId } });
  expect(shares).toMatchObject({
    creator: { displayName: owner.user.display_name, email: owner.email },
    userShares: [
      { userEmail: as("viewer").email, permissionLevel: "viewer", pending: false },
      { userEmail: as("editor").email, permissionLevel: "editor", pending: false },
    ],
    teamShares: [],
  });
  // A viewer sees who is here, and no address but their own.
  const seen = await as("viewer").take(listShares, { params: { id: chatId } });
  expect(seen.creator.email).toBe("");
  expect(seen.userShares.map(({ userEmail }) => userEmail)).toEqual([as("viewer").email, ""]);
});

it("sharing with people lets an editor send into the real chat at their own cost and under their own name, and answers everyone live", async () => {
  const { owner, chatId, replyId: parentId, messageId, as } = await startSharedChat(["editor", "viewer"]);
  const editor = as("editor");
  const tab = await openTab(as("viewer"));
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "say from an editor", model_id: CHEAP_MODEL };
  const turn = await editor.take(sendMessage, { params: { id: chatId }, body });
  await until("the news of it", () => tab.events.find((event) => event.type === "reply.started" && event.reply_id === turn.replyId));
  tab.close();
  expect(settledOf(await readReply(as("viewer"), { chatId, replyId: turn.replyId })).status).toBe("done");
  const { messages } = await owner.take(listMessages, { params: { id: chatId } });
  expect(messages.map(({ author }) => author?.display_name ?? null)).toEqual([
    owner.user.display_name,
    null,
    editor.user.display_name,
    null,
  ]);
  await until("the editor's charge", async () => (await editor.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 1);
  // The first answer and the title.
  await until("the owner's own charges", async () => (await owner.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  // Another's message is edited as a branch, and stays as it was.
  const edit = { id: crypto.randomUUID(), content: "say otherwise", model_id: CHEAP_MODEL };
  await editor.take(editMessage, { params: { id: chatId, messageId }, body: edit });
  const own = await owner.take(listMessages, { params: { id: chatId } });
  expect(own.messages[0]).toMatchObject({ id: messageId, content: "say shared words" });
  expect(own.messages[0]?.sibling_ids).toEqual([messageId, edit.id]);
});

it("sharing with people changes a level in place, and the highest of all ways counts", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  const viewer = as("viewer");
  const rename = { params: { id: chatId }, body: { title: "Renamed" } };
  expect(await viewer.call(updateChat, rename)).toMatchObject({ status: 403 });
  const teamId = await makeTeam("Crew", [owner, viewer]);
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "editor" } });
  expect((await viewer.take(updateChat, rename)).chat).toMatchObject({ title: "Renamed", permissionLevel: "editor" });
  const { teamShares } = await owner.take(listShares, { params: { id: chatId } });
  await owner.take(removeTeamShare, { params: { id: chatId, shareId: teamShares[0]?.id ?? "" } });
  expect(await viewer.call(updateChat, rename)).toMatchObject({ status: 403 });
  await share(owner, chatId, viewer.email, "editor");
  expect((await viewer.take(getChat, { params: { id: chatId } })).chat.permissionLevel).toBe("editor");
  expect((await owner.take(listShares, { params: { id: chatId } })).userShares).toHaveLength(1);
});

it("sharing with people names its owner and who shared it to each reader, also where an editor shares it with their team", async () => {
  const { owner, chatId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const member = await signIn();
  await owner.take(updateUser, { body: { display_name: "Olga Owner" } });
  await editor.take(updateUser, { body: { display_name: "Edda Editor" } });
  const teamId = await makeTeam("Edda's", [editor, member]);
  await editor.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  const row = await until("the member's row", async () => {
    const { chats } = await member.take(listChats, { query: { view: "all", workspace: teamId } });
    return chats.find(({ id }) => id === chatId);
  });
  expect(row).toMatchObject({ sharedByName: "Edda Editor", ownerName: "Olga Owner", teams: [teamId] });
  await until("the editor's row", async () => (await rowOf(editor, chatId)).ownerName === "Olga Owner");
  expect((await rowOf(owner, chatId)).ownerName).toBeNull();
});

it("sharing with people is not for guests, strangers, viewers, the owner's own address or somebody else's team", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  const body = { type: "user" as const, email: as("viewer").email, permissionLevel: "editor" as const };
  const guest = visitor();
  const { chat } = await guest.take(createChat, { body: {} });
  expect(await guest.call(shareChat, { params: { id: chat.id }, body })).toMatchObject({ error: { code: "SIGN_IN_REQUIRED" } });
  expect(await guest.call(updateChat, { params: { id: chat.id }, body: { public: true } })).toMatchObject({
    error: { code: "SIGN_IN_REQUIRED" },
  });
  expect(await as("viewer").call(shareChat, { params: { id: chatId }, body })).toMatchObject({ error: { code: "FORBIDDEN" } });
  const stranger = await signIn();
  // Nor does a stranger learn by it whether an address has an account.
  for (const email of [owner.email, "nobody@example.com"])
    expect(await stranger.call(shareChat, { params: { id: chatId }, body: { ...body, email, invite: true } })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
  expect(await owner.call(shareChat, { params: { id: chatId }, body: { ...body, email: owner.email } })).toMatchObject({ status: 400 });
  const teamId = await makeTeam("Others", [stranger]);
  const team = { type: "team" as const, teamId, permissionLevel: "viewer" as const };
  expect(await owner.call(shareChat, { params: { id: chatId }, body: team })).toMatchObject({ error: { code: "TEAM_NOT_FOUND" } });
});

it("sharing with people gives viewers no first message either, nor anybody a second one", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer", "editor"]);
  const before = (await messagesOf(owner, chatId)).length;
  const first = () => ({ id: crypto.randomUUID(), parent_id: null, content: "say mine", model_id: CHEAP_MODEL });
  const send = (person: Client) => person.call(sendMessage, { params: { id: chatId }, body: first() });
  expect(await send(as("viewer"))).toMatchObject({ status: 403, error: { code: "FORBIDDEN" } });
  expect(await send(as("editor"))).toMatchObject({ status: 409, error: { error: "This chat already has a first message." } });
  expect(await send(await signIn())).toMatchObject({ status: 404 });
  expect(await messagesOf(owner, chatId)).toHaveLength(before);
});

it("sharing with people keeps shared chats out of the archive and says why", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  await until("the owner's row", async () => (await rowOf(owner, chatId)).hasBeenShared);
  await rowOf(as("viewer"), chatId);
  for (const person of [owner, as("viewer")])
    expect(await person.call(updateChat, { params: { id: chatId }, body: { archived: true } })).toMatchObject({
      error: { code: "SHARED_NOT_ARCHIVED" },
    });
});

it("sharing with teams lets in all their members, and lets go who leaves the team or the chat", async () => {
  const { owner, chatId } = await startSharedChat([]);
  const [stays, leaves, isRemoved] = [await signIn(), await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [owner, stays, leaves, isRemoved]);
  expect((await leaves.take(listUserTeams, {})).teams).toMatchObject([
    { id: teamId, name: "Crew", description: null, user_role: "member", created_by: owner.user.id },
  ]);
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  for (const member of [stays, leaves, isRemoved]) expect(await rowOf(member, chatId)).toMatchObject({ permissionLevel: "viewer" });
  await leaves.take(leaveChat, { params: { id: chatId } });
  await env.DB.prepare("DELETE FROM team_members WHERE user_id = ?").bind(isRemoved.user.id).run();
  await env.CHAT_ROOM.getByName(chatId).refreshAccess();
  for (const member of [leaves, isRemoved]) {
    await awaitRemoval(member, chatId);
    expect(await member.call(getChat, { params: { id: chatId } })).toMatchObject({ error: { code: "NOT_FOUND" } });
  }
  expect((await stays.take(getChat, { params: { id: chatId } })).chat.isShared).toBe(true);
  // Who left comes back when they are asked in by name.
  await share(owner, chatId, leaves.email, "viewer");
  expect(await rowOf(leaves, chatId)).toMatchObject({ isRead: false });
});

it("sharing with teams lets in again who had left the chat when they get a share later, not by another level of an earlier one", async () => {
  const { owner, chatId } = await startSharedChat([]);
  const member = await signIn();
  const [earlier, later] = [await makeTeam("Earlier", [owner, member]), await makeTeam("Later", [owner, member])];
  const admit = (teamId: string, permissionLevel: "viewer" | "editor") =>
    owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel } });
  const levelOf = async () => {
    const answer = await member.call(getChat, { params: { id: chatId } });
    return answer.ok ? answer.body.chat.permissionLevel : answer.error.code;
  };
  await admit(earlier, "viewer");
  expect(await levelOf()).toBe("viewer");
  await member.take(leaveChat, { params: { id: chatId } });
  await admit(earlier, "editor");
  expect(await levelOf()).toBe("NOT_FOUND");
  await admit(later, "viewer");
  expect(await levelOf()).toBe("viewer");
  await member.take(leaveChat, { params: { id: chatId } });
  expect(await levelOf()).toBe("NOT_FOUND");
});

it("shares with teams are changed and taken back by whoever may share the chat, and teams are let in by their own members alone", async () => {
  const { owner, chatId, as } = await startSharedChat(["editor", "viewer"]);
  const member = await signIn();
  const teamId = await makeTeam("Crew", [owner, member]);
  const input = (permissionLevel: "viewer" | "editor") => ({
    params: { id: chatId },
    body: { type: "team" as const, teamId, permissionLevel },
  });
  const notTheirs = { error: { code: "TEAM_NOT_FOUND" } };
  expect(await as("editor").call(shareChat, input("viewer"))).toMatchObject(notTheirs);
  await owner.take(shareChat, input("viewer"));
  const { teamShares } = await as("editor").take(shareChat, input("editor"));
  expect(teamShares).toMatchObject([{ teamName: "Crew", permissionLevel: "editor" }]);
  expect((await member.take(getChat, { params: { id: chatId } })).chat.permissionLevel).toBe("editor");
  expect(await as("viewer").call(shareChat, input("viewer"))).toMatchObject({ error: { code: "FORBIDDEN" } });
  await as("editor").take(removeTeamShare, { params: { id: chatId, shareId: teamShares[0]?.id ?? "" } });
  expect(await as("editor").call(shareChat, input("viewer"))).toMatchObject(notTheirs);
});

it("losing a chat cuts its open streams at once, and takes it off the list", async () => {
  const { owner, chatId, replyId: parentId, as } = await startSharedChat(["viewer"]);
  const viewer = as("viewer");
  await rowOf(viewer, chatId);
  const tab = await openTab(viewer);
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "stamp 600\nspeed 25", model_id: CHEAP_MODEL };
  const { replyId } = await owner.take(sendMessage, { params: { id: chatId }, body });
  let isFollowing = false;
  const followed = readReply(viewer, {
    chatId,
    replyId,
    enough: (received) => {
      isFollowing = received.length > 0;
      return false;
    },
  });
  await until("the stream", () => isFollowing);
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, viewer.email) } });
  const received = await followed.catch(() => []);
  expect(received.some(({ event }) => event.type === "settled")).toBe(false);
  await until("the news of it", () => tab.events.find((event) => event.type === "chat.deleted" && event.chat_id === chatId));
  for (const path of ["", "/messages", "/shares", "/export", `/replies/${replyId}`])
    expect((await viewer.fetch(`/api/chat/${chatId}${path}`)).status).toBe(404);
  const seen = tab.events.length;
  await owner.fetch(`/api/chat/${chatId}/stop`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await until("the owner's reply at rest", async () => !(await owner.take(getChat, { params: { id: chatId } })).chat.isStreaming);
  expect(tab.events.slice(seen).filter((event) => event.type === "chat.changed" || event.type === "reply.ended")).toEqual([]);
  tab.close();
});

it("losing a chat still charges what the reader's last turn cost", async () => {
  const { owner, chatId, replyId: parentId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "stamp 40\nspeed 25", model_id: CHEAP_MODEL };
  const { replyId } = await editor.take(sendMessage, { params: { id: chatId }, body });
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, editor.email) } });
  await readReply(owner, { chatId, replyId });
  const paid = await until("the charge", async () => (await editor.take(getUsage, { query: { by: "chat" } })).usage[0]);
  expect(paid.calls).toBe(1);
  await awaitRemoval(editor, chatId);
});

it.each([
  ["next life", killRoom],
  ["alarm", (chatId: string) => runDurableObjectAlarm(env.CHAT_ROOM.getByName(chatId))],
])("losing a chat holds by the room's %s although its own list was not written after the database's row", async (_when, wake) => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (_, { storage }) => {
    storage.sql.exec("UPDATE chat SET is_access_pending = 1");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await env.DB.prepare("DELETE FROM chat_shares WHERE chat_id = ?").bind(chatId).run();
  await wake(chatId);
  const status = await until("the list healed", async () => {
    await owner.take(getChat, { params: { id: chatId } });
    const answer = await as("viewer").call(getChat, { params: { id: chatId } });
    return answer.ok ? null : answer.status;
  });
  expect(status).toBe(404);
});

it("losing a chat is how a deleted chat ends for everyone, and only its owner may delete it", async () => {
  const { owner, chatId, as } = await startSharedChat(["editor", "viewer"]);
  for (const level of ["editor", "viewer"] as const) {
    await rowOf(as(level), chatId);
    expect(await as(level).call(deleteChat, { params: { id: chatId } })).toMatchObject({ error: { code: "FORBIDDEN" } });
  }
  await owner.take(deleteChat, { params: { id: chatId } });
  for (const person of [owner, as("editor"), as("viewer")]) await awaitRemoval(person, chatId);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM chat_shares WHERE chat_id = ?").bind(chatId).first("n")).toBe(0);
});

it("losing a chat does not take a fork that a viewer made", async () => {
  const { owner, chatId, replyId: messageId, as } = await startSharedChat(["viewer"]);
  const { chat } = await as("viewer").take(forkChat, { params: { id: chatId }, body: { messageId } });
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, as("viewer").email) } });
  const { messages } = await as("viewer").take(listMessages, { params: { id: chat.id } });
  expect(messages.map(({ content }) => content)).toEqual(["say shared words", "shared words"]);
});

it("losing a chat leaves a chat of one's own alone", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say mine");
  expect(await owner.call(leaveChat, { params: { id: chatId } })).toMatchObject({ status: 400 });
});
