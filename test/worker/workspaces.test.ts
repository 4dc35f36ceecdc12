import { expect, it } from "vitest";
import { createChat, getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { changeChats, countChats } from "#shared/contracts/chat/inbox.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { search } from "#shared/contracts/search.ts";
import { listShares, removeTeamShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import { createTeam, deleteTeam, removeTeamMember } from "#shared/contracts/account/teams.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn, visitor } from "#test/support/worker.ts";

async function listed(person: Person, workspace: WorkspaceId): Promise<string[]> {
  return (await person.take(listChats, { query: { view: "all", workspace } })).chats.map(({ id }) => id);
}

it("workspaces show what no team shares, what is shared with a team, and all", async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [owner, member]);
  const other = await makeTeam("Other", [owner]);
  const { chatId: shared } = await startChatAndRead(owner, "say apples for the team");
  const { chatId: personal } = await startChatAndRead(owner, "say apples for me");
  await owner.take(shareChat, { params: { id: shared }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  await until("the shared chat in the team's workspace", async () => (await listed(owner, teamId)).join() === shared);
  expect(await listed(owner, "personal")).toEqual([personal]);
  expect((await listed(owner, "all")).toSorted()).toEqual([shared, personal].toSorted());
  expect(await listed(owner, other)).toEqual([]);
  await until("the shared chat at the member's", async () => (await listed(member, teamId)).join() === shared);
  expect(await listed(member, "personal")).toEqual([]);
  const unread = async (workspace: WorkspaceId) => (await member.take(listChats, { query: { workspace } })).unreadCount;
  expect([await unread(teamId), await unread("personal"), await unread("all")]).toEqual([1, 0, 1]);
  expect((await owner.take(countChats, { query: { workspace: "personal" } })).count).toBe(1);
  const found = async (workspace: WorkspaceId) => {
    const { hits } = await owner.take(search, { query: { q: "apples", workspace } });
    return [...new Set(hits.map(({ chat }) => chat.id))];
  };
  await until("the texts in the index", async () => (await found("all")).length === 2);
  expect(await found("personal")).toEqual([personal]);
  expect(await found(teamId)).toEqual([shared]);
  // All of a workspace marks nothing outside of it.
  await owner.take(changeChats, { body: { filter: { view: "all", workspace: "personal" }, action: "pin" } });
  const { chats } = await owner.take(listChats, { query: { view: "all" } });
  expect(chats.filter(({ isPinned }) => isPinned).map(({ id }) => id)).toEqual([personal]);
  const [share] = (await owner.take(listShares, { params: { id: shared } })).teamShares;
  await owner.take(removeTeamShare, { params: { id: shared, shareId: share?.id ?? "" } });
  await until("both chats personal", async () => (await listed(owner, "personal")).length === 2);
});

it("workspaces share what begins in a team's with that team, as viewer, and once", async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [owner, member]);
  const { chat } = await owner.take(createChat, { body: { title: "Tender", team_id: teamId } });
  const chatId = crypto.randomUUID();
  const send = () =>
    owner.call(sendMessage, {
      params: { id: chatId },
      body: { id: crypto.randomUUID(), parent_id: null, content: "say hello", team_id: teamId },
    });
  expect((await send()).ok).toBe(true);
  for (const id of [chat.id, chatId]) {
    await until(`${id} at the member's`, async () => (await listed(member, teamId)).includes(id));
    expect((await member.take(getChat, { params: { id } })).chat).toMatchObject({ permissionLevel: "viewer", isShared: true });
  }
  expect((await listed(owner, teamId)).toSorted()).toEqual([chat.id, chatId].toSorted());
  const [share] = (await owner.take(listShares, { params: { id: chat.id } })).teamShares;
  await owner.take(removeTeamShare, { params: { id: chat.id, shareId: share?.id ?? "" } });
  await owner.call(createChat, { body: { id: chat.id, title: "Tender", team_id: teamId } });
  expect((await owner.take(listShares, { params: { id: chat.id } })).teamShares).toEqual([]);
});

it("workspaces are each reader's own: a chat is in those of the reader's teams alone, and names no others", async () => {
  const [owner, editor, guest] = [await signIn(), await signIn(), await signIn()];
  const crew = await makeTeam("Crew", [owner]);
  const others = await makeTeam("Others", [editor]);
  const { chat } = await owner.take(createChat, { body: { title: "Tender", team_id: crew } });
  for (const { email } of [editor, guest]) {
    await owner.take(shareChat, { params: { id: chat.id }, body: { type: "user", email, permissionLevel: "editor" } });
  }
  await editor.take(shareChat, { params: { id: chat.id }, body: { type: "team", teamId: others, permissionLevel: "viewer" } });
  const teamsOf = async (person: Person) =>
    (await person.take(listChats, { query: { view: "all" } })).chats.find(({ id }) => id === chat.id)?.teams;
  const expected: [Person, string[]][] = [
    [owner, [crew]],
    [editor, [others]],
    [guest, []],
  ];
  for (const [person, teams] of expected) {
    await until("the reader's own teams", async () => String(await teamsOf(person)) === String(teams));
    expect((await person.take(getChat, { params: { id: chat.id } })).chat.teams).toEqual(teams);
    expect(await listed(person, "personal")).toEqual(teams.length === 0 ? [chat.id] : []);
  }
});

it("workspaces of a team that one is alone in hold what was begun there", async () => {
  const owner = await signIn();
  const { team } = await owner.take(createTeam, { body: { name: "Just me" } });
  const { chat } = await owner.take(createChat, { body: { id: crypto.randomUUID(), title: "Alone", team_id: team.id } });
  await until("the chat in the team's workspace", async () => (await listed(owner, team.id)).join() === chat.id);
  expect(await listed(owner, "personal")).toEqual([]);
  await owner.take(deleteTeam, { params: { id: team.id } });
  await until("the chat personal again", async () => (await listed(owner, "personal")).join() === chat.id);
});

it("workspaces of others' teams take nothing, and say so", async () => {
  const [owner, stranger] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [owner]);
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say hello", team_id: teamId };
  for (const person of [stranger, visitor()]) {
    expect(refusal(await person.call(sendMessage, { params: { id: crypto.randomUUID() }, body }))).toBe("TEAM_NOT_FOUND");
    expect(refusal(await person.call(createChat, { body: { team_id: teamId } }))).toBe("TEAM_NOT_FOUND");
  }
  expect((await stranger.fetch("/api/chats?workspace=%22%20OR%201")).status).toBe(400);
});

it("the workspace of a team is left with it", async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Crew", [owner, member]);
  const { chat } = await owner.take(createChat, { body: { title: "Tender", team_id: teamId } });
  await until("the chat at the member's", async () => (await listed(member, teamId)).includes(chat.id));
  await owner.take(removeTeamMember, { params: { id: teamId }, query: { userId: member.user.id } });
  await until("the chat gone", async () => (await listed(member, "all")).length === 0);
  expect(await listed(owner, teamId)).toEqual([chat.id]);
});
