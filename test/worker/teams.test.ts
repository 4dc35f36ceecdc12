import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { createPersona, getPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import { listPeople, listShares, shareChat } from "#shared/contracts/chat/sharing.ts";
import {
  acceptTeamInvitation,
  cancelTeamInvitation,
  createTeam,
  deleteTeam,
  getTeamInvitation,
  listTeamInvitations,
  listTeamMembers,
  listTeams,
  listUserTeams,
  removeTeamMember,
  sendTeamInvitation,
  updateTeam,
  updateTeamMember,
} from "#shared/contracts/account/teams.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn, signInByMail, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import {
  cancelInvitationRow,
  deleteMember,
  selectOpenInvitations,
  selectTeamChatsAmong,
  updateRole,
  updateTeamRow,
  upsertInvitation,
} from "#worker/people/teams/queries.ts";
import { makeTeam } from "#worker/people/teams/teams.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

const DAY = 24 * 60 * 60_000;

/** A team that somebody makes, in a deployment that lets everybody do so. */
async function teamBy(admin: Person, name = "Crew"): Promise<string> {
  const { team } = await admin.take(createTeam, { body: { name } });
  return team.id;
}

async function invite(admin: Person, teamId: string, email: string): Promise<string> {
  const { invitation } = await admin.take(sendTeamInvitation, { body: { teamId, email } });
  return invitation.token;
}

async function join(admin: Person, teamId: string, person: Person): Promise<void> {
  const token = await invite(admin, teamId, person.email);
  await person.take(acceptTeamInvitation, { params: { token }, body: {} });
}

/** A team with an admin who made it and members who joined by invitation. */
async function teamOf(members: number) {
  const admin = await signIn();
  const teamId = await teamBy(admin);
  const people: Person[] = [];
  for (let made = 0; made < members; made += 1) {
    const person = await signIn();
    await join(admin, teamId, person);
    people.push(person);
  }
  return { admin, teamId, people };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("making a team needs the team plan where the deployment does not let everybody", async () => {
  const { user } = await signIn();
  const caller = { userId: user.id, sessionId: "", anonymous: false, displayName: "", plan: "none" } as const;
  const make = () => makeTeam(deploymentWith({ ALLOW_NON_TEAM_PLAN_INVITES: "false" }), openDatabase(env.DB), caller, { name: "Crew" });
  await expect(make()).rejects.toMatchObject({ code: "TEAM_PLAN_REQUIRED" });
  await env.DB.prepare("UPDATE users SET team_plan = 1 WHERE id = ?").bind(user.id).run();
  expect(await make()).toMatchObject({ name: "Crew", user_role: "admin" });
});

it("making a team needs a name of 1 to 100 characters", async () => {
  const admin = await signIn();
  expect(await admin.call(createTeam, { body: { name: "  " } })).toMatchObject({ error: { error: "Team name is required" } });
  expect(refusal(await admin.call(createTeam, { body: { name: "x".repeat(101) } }))).toBe("INVALID_INPUT");
  expect(refusal(await admin.call(createTeam, { body: { name: "x", description: "x".repeat(501) } }))).toBe("INVALID_INPUT");
  const { team } = await admin.take(createTeam, { body: { name: ` ${"x".repeat(100)} `, description: "Client work" } });
  expect(team).toMatchObject({ name: "x".repeat(100), description: "Client work", user_role: "admin", memberCount: 1 });
  expect((await admin.take(listTeams, {})).teams).toEqual([team]);
});

it("making a team with an id that is another's team makes and joins none", async () => {
  const { admin, teamId } = await teamOf(0);
  const other = await signIn();
  expect(refusal(await other.call(createTeam, { body: { id: teamId, name: "Mine" } }))).toBe("CONFLICT");
  expect((await other.take(listTeams, {})).teams).toEqual([]);
  expect((await admin.take(listTeams, {})).teams).toMatchObject([{ name: "Crew", memberCount: 1 }]);
});

it("managing a team is for admins; members see it, strangers do not know of it", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const [member] = people;
  if (!member) throw new Error("The team has no member.");
  const params = { id: teamId };
  await admin.take(updateTeam, { params, body: { name: "Studio", description: "Tenders" } });
  expect((await member.take(listTeams, {})).teams).toMatchObject([{ name: "Studio", description: "Tenders", user_role: "member" }]);
  const { members } = await member.take(listTeamMembers, { params });
  expect(members.map(({ user_id, role }) => ({ user_id, role }))).toEqual([
    { user_id: admin.user.id, role: "admin" },
    { user_id: member.user.id, role: "member" },
  ]);
  for (const [person, code] of [
    [member, "FORBIDDEN"],
    [await signIn(), "TEAM_NOT_FOUND"],
  ] as const) {
    expect(refusal(await person.call(updateTeam, { params, body: { name: "Mine" } }))).toBe(code);
    expect(refusal(await person.call(deleteTeam, { params }))).toBe(code);
    expect(refusal(await person.call(sendTeamInvitation, { body: { teamId, email: newAddress() } }))).toBe(code);
    expect(refusal(await person.call(listTeamInvitations, { query: { teamId } }))).toBe(code);
    expect(refusal(await person.call(updateTeamMember, { params, body: { userId: member.user.id, role: "admin" } }))).toBe(code);
    expect(refusal(await person.call(removeTeamMember, { params, query: { userId: admin.user.id } }))).toBe(code);
  }
});

it("managing a team that stays as it is notifies nobody", async () => {
  const { admin, teamId } = await teamOf(1);
  const params = { id: teamId };
  const notified = vi.spyOn(UserHub.prototype, "noteTeamsChanged");
  const body = { name: "Studio", description: "", members_restricted: true };
  const { team } = await admin.take(updateTeam, { params, body });
  expect(notified).toHaveBeenCalledTimes(2);
  expect(await admin.take(updateTeam, { params, body })).toMatchObject({ team });
  expect(await admin.take(updateTeam, { params, body: {} })).toMatchObject({ team });
  expect(notified).toHaveBeenCalledTimes(2);
  await admin.take(updateTeam, { params, body: { ...body, content_admin_only: true } });
  expect(notified).toHaveBeenCalledTimes(4);
});

it("managing a team hides who is in a restricted team from all but its admins", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const params = { id: teamId };
  await admin.take(updateTeam, { params, body: { members_restricted: true } });
  expect(await people[0]?.call(listTeamMembers, { params })).toMatchObject({
    error: {
      code: "MEMBERS_RESTRICTED",
      error: "Member information is restricted — Only administrators can view team members for this team",
    },
  });
  expect((await admin.take(listTeamMembers, { params })).members).toHaveLength(2);
});

it("managing a team hides who is in a restricted team in its chats too, from all but its admins, save who has a share of their own", async () => {
  const { admin, teamId, people } = await teamOf(3);
  const [owner, member, invited] = people;
  if (!owner || !member || !invited) throw new Error("The team has too few members.");
  const { chatId } = await startChatAndRead(owner, "say mine");
  const params = { id: chatId };
  await owner.take(shareChat, { params, body: { type: "team", teamId, permissionLevel: "viewer" } });
  await owner.take(shareChat, { params, body: { type: "user", email: invited.email, permissionLevel: "viewer" } });
  const seenBy = async (reader: Person) => (await reader.take(listPeople, { params })).people.map(({ id }) => id).toSorted();
  const idsOf = (...persons: Person[]) => persons.map(({ user }) => user.id).toSorted();
  expect(await seenBy(member)).toEqual(idsOf(owner, admin, member, invited));
  await admin.take(updateTeam, { params: { id: teamId }, body: { members_restricted: true } });
  expect(await seenBy(admin)).toEqual(idsOf(owner, admin, member, invited));
  expect(await seenBy(member)).toEqual(idsOf(owner, member, invited));
  expect(await seenBy(invited)).toEqual(idsOf(owner, invited));
  expect(await seenBy(owner)).toEqual(idsOf(owner, invited));
});

it("managing a team leaves what is shared in a team flagged so to its admins", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const [member] = people;
  if (!member) throw new Error("The team has no member.");
  const { chatId } = await startChatAndRead(member, "say mine");
  const share = () => member.call(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  await admin.take(updateTeam, { params: { id: teamId }, body: { content_admin_only: true } });
  expect((await member.take(listUserTeams, {})).teams).toEqual([]);
  expect(await share()).toMatchObject({
    status: 403,
    error: { code: "TEAM_ADMINS_ONLY", error: "In this team only admins share, and you are none." },
  });
  await admin.take(updateTeamMember, { params: { id: teamId }, body: { userId: member.user.id, role: "admin" } });
  expect((await member.take(listUserTeams, {})).teams).toMatchObject([{ id: teamId }]);
  expect(refusal(await share())).toBeUndefined();
});

it("managing a team asks for the admin's role in the very statement that acts, so who lost it meanwhile changes nothing", async () => {
  const { admin, teamId, people } = await teamOf(2);
  const [other, third] = people;
  if (!other || !third) throw new Error("The team has no members.");
  const db = openDatabase(env.DB);
  const [by, at] = [other.user.id, new Date().toISOString()];
  const invitation = { teamId, email: newAddress(), invitedBy: by, at, expiresAt: new Date(Date.now() + DAY).toISOString() };
  const attemptAll = async () => [
    await updateTeamRow(db, teamId, { name: "Taken" }, by),
    (await upsertInvitation(db, invitation)) !== null,
    await updateRole(db, { teamId, userId: by, role: "admin", by }),
    await cancelInvitationRow(db, (await selectOpenInvitations(db, teamId, at))[0]?.invitation.id ?? "", { teamId, by, at }),
    await deleteMember(db, teamId, { userId: third.user.id, at, by }),
  ];
  await invite(admin, teamId, newAddress());
  expect(await attemptAll()).toEqual([false, false, false, false, false]);
  expect((await other.take(listTeams, {})).teams).toMatchObject([{ name: "Crew", user_role: "member" }]);
  expect((await third.take(listTeams, {})).teams).toHaveLength(1);
  expect((await admin.take(listTeamInvitations, { query: { teamId } })).invitations).toHaveLength(1);
  await updateRole(db, { teamId, userId: by, role: "admin", by: admin.user.id });
  expect(await attemptAll()).toEqual([true, true, true, true, true]);
});

it("managing a team keeps its creator an admin in it, and lets an admin leave as a member only", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const [other] = people;
  if (!other) throw new Error("The team has no member.");
  const params = { id: teamId };
  const role = (userId: string, to: "admin" | "member", by = admin) => by.call(updateTeamMember, { params, body: { userId, role: to } });
  await role(other.user.id, "admin");
  expect(refusal(await role(admin.user.id, "member", other))).toBe("INVALID_INPUT");
  expect(refusal(await other.call(removeTeamMember, { params, query: { userId: admin.user.id } }))).toBe("INVALID_INPUT");
  expect(refusal(await admin.call(removeTeamMember, { params, query: { userId: admin.user.id } }))).toBe("INVALID_INPUT");
  expect(refusal(await other.call(removeTeamMember, { params, query: { userId: other.user.id } }))).toBe("INVALID_INPUT");
  expect(refusal(await other.call(deleteTeam, { params }))).toBe("FORBIDDEN");
  await role(other.user.id, "member", other);
  await other.take(removeTeamMember, { params, query: { userId: other.user.id } });
  expect((await other.take(listTeams, {})).teams).toEqual([]);
});

it("managing a team is sent to every member's tabs", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const [member] = people;
  if (!member) throw new Error("The team has no member.");
  const tab = await openTab(member);
  const teamEvents = () => tab.events.filter(({ type }) => type === "teams.changed").length;
  await admin.take(updateTeam, { params: { id: teamId }, body: { name: "Studio" } });
  await until("the new name", () => teamEvents() === 1);
  await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: member.user.id } });
  await until("the removal", () => teamEvents() === 2);
  expect((await member.take(listTeams, {})).teams).toEqual([]);
  tab.close();
});

it("an invitation is mailed with a link, shows a stranger the least, and lets the invited address in once", async () => {
  const { admin, teamId } = await teamOf(0);
  await admin.take(updateTeam, { params: { id: teamId }, body: { description: "Nobody else's" } });
  const invited = await signIn();
  const { invitation, emailSent } = await admin.take(sendTeamInvitation, {
    body: { teamId, email: ` ${invited.email.toUpperCase()} ` },
  });
  expect(emailSent).toBe(true);
  const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, invited.email);
  expect(mail?.text).toContain(`/?team_invite=${invitation.token}`);
  expect(mail?.subject).toContain("the team Crew");
  const params = { token: invitation.token };
  for (const client of [visitor(), await signIn()]) {
    const seen = await client.take(getTeamInvitation, { params });
    expect(seen.invitation).toMatchObject({ status: "pending", teams: { name: "Crew", description: null, memberCount: null } });
    expect(JSON.stringify(seen)).not.toContain(admin.email);
  }
  expect((await invited.take(getTeamInvitation, { params })).invitation).toMatchObject({
    teams: { description: "Nobody else's", memberCount: 1 },
    inviter: { email: admin.email },
  });
  expect(refusal(await (await signIn()).call(acceptTeamInvitation, { params, body: {} }))).toBe("TEAM_INVITATION_MISMATCH");
  const answers = await Promise.all([1, 2, 3].map(() => invited.call(acceptTeamInvitation, { params, body: {} })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  // The specification shows no body for it.
  expect((await invited.fetch(`/api/teams/invitations/${invitation.token}`, { method: "POST" })).status).toBe(200);
  expect((await admin.take(listTeamMembers, { params: { id: teamId } })).members).toHaveLength(2);
  expect((await visitor().take(getTeamInvitation, { params })).invitation.status).toBe("accepted");
  expect((await admin.take(listTeamInvitations, { query: { teamId } })).invitations).toEqual([]);
});

it("an invitation accepted before does not bring back who was removed", async () => {
  const { admin, teamId } = await teamOf(0);
  const invited = await signIn();
  const token = await invite(admin, teamId, invited.email);
  await invited.take(acceptTeamInvitation, { params: { token }, body: {} });
  await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: invited.user.id } });
  expect(await invited.call(acceptTeamInvitation, { params: { token }, body: {} })).toMatchObject({
    error: { code: "TEAM_INVITATION_CLOSED", error: "This invitation has already been accepted." },
  });
  expect((await invited.take(listTeams, {})).teams).toEqual([]);
});

it("an invitation ends by its date, by an admin's word, and with its team; a made-up link is none", async () => {
  const { admin, teamId } = await teamOf(0);
  const invited = await signIn();
  const cancelled = await invite(admin, teamId, invited.email);
  const [open] = (await admin.take(listTeamInvitations, { query: { teamId } })).invitations;
  const cancel = { invitationId: open?.id ?? "", status: "cancelled" } as const;
  expect(refusal(await (await signIn()).call(cancelTeamInvitation, { body: cancel }))).toBe("NOT_FOUND");
  await admin.take(cancelTeamInvitation, { body: cancel });
  await admin.take(cancelTeamInvitation, { body: cancel });
  const accept = (token: string) => invited.call(acceptTeamInvitation, { params: { token }, body: {} });
  expect(await accept(cancelled)).toMatchObject({ error: { error: "This invitation has been cancelled." } });
  const late = await invite(admin, teamId, invited.email);
  expect(late).not.toBe(cancelled);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY + 1 });
  expect((await visitor().take(getTeamInvitation, { params: { token: late } })).invitation.status).toBe("expired");
  expect(await accept(late)).toMatchObject({ error: { error: "This invitation has expired." } });
  const again = await invite(admin, teamId, invited.email);
  vi.useRealTimers();
  const [id = "", signature = ""] = again.split(".");
  for (const token of [id, `${id}.`, `${crypto.randomUUID()}.${signature}`, `${id}.${"A".repeat(43)}`, "../..", "%00"]) {
    expect(await visitor().call(getTeamInvitation, { params: { token } })).toMatchObject({
      error: { code: "TEAM_INVITATION_NOT_FOUND", error: "This invitation link is not valid." },
    });
  }
  await admin.take(deleteTeam, { params: { id: teamId } });
  expect((await accept(again)).status).not.toBe(200);
  expect((await invited.take(listTeams, {})).teams).toEqual([]);
});

it("open invitations are at most 200, and teams at most 50 of one person, however many are made at once", async () => {
  const { admin, teamId } = await teamOf(0);
  const email = newAddress();
  const token = await invite(admin, teamId, email);
  const fill = (more: number) => sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${more})`;
  const db = openDatabase(env.DB);
  const [at, later] = [new Date().toISOString(), new Date(Date.now() + DAY).toISOString()];
  await db.run(sql`INSERT INTO team_invitations (id, team_id, email, invited_by, created_at, expires_at)
      ${fill(198)} SELECT ${teamId} || i, ${teamId}, i || '@crew.example', ${admin.user.id}, ${at}, ${later} FROM n`);
  const invited = await Promise.all(
    Array.from({ length: 6 }, () => admin.call(sendTeamInvitation, { body: { teamId, email: newAddress() } })),
  );
  expect(invited.filter(({ ok }) => ok)).toHaveLength(1);
  expect(invited.find(({ ok }) => !ok)).toMatchObject({ error: { error: "The team has 200 open invitations. Cancel some first." } });
  expect(await invite(admin, teamId, email)).toBe(token);

  await db.run(sql`INSERT INTO teams (id, name, created_by, created_at)
      ${fill(48)} SELECT ${teamId} || i, 'Crew', ${admin.user.id}, ${at} FROM n`);
  const made = await Promise.all(Array.from({ length: 6 }, () => admin.call(createTeam, { body: { name: "One more" } })));
  expect(made.filter(({ ok }) => ok)).toHaveLength(1);
  expect(made.find(({ ok }) => !ok)).toMatchObject({ status: 400, error: { error: "You have made 50 teams already." } });
});

it("an invitation of an address that is invited already counts anew under the same link", async () => {
  const { admin, teamId } = await teamOf(0);
  const email = newAddress();
  const first = await invite(admin, teamId, email);
  expect(await invite(admin, teamId, email)).toBe(first);
  expect((await admin.take(listTeamInvitations, { query: { teamId } })).invitations).toHaveLength(1);
  const newcomer = await signInByMail(visitor(), email);
  await newcomer.take(acceptTeamInvitation, { params: { token: first }, body: {} });
  expect(await admin.call(sendTeamInvitation, { body: { teamId, email } })).toMatchObject({
    error: { error: "This person is in the team already." },
  });
});

it("who is removed takes along what they made, and no open link lets them or those they invited back in", async () => {
  const { admin, teamId, people } = await teamOf(1);
  const [other] = people;
  if (!other) throw new Error("The team has no member.");
  await admin.take(updateTeamMember, { params: { id: teamId }, body: { userId: other.user.id, role: "admin" } });
  const { persona } = await other.take(createPersona, { body: { name: "Theirs", content: "For the team." } });
  await other.take(updatePersona, { params: { id: persona.id }, body: { team_id: teamId } });
  const friend = await signIn();
  const tokens = [await invite(other, teamId, friend.email)];
  await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: other.user.id } });
  tokens.push(await invite(admin, teamId, other.email));
  expect(refusal(await friend.call(acceptTeamInvitation, { params: { token: tokens[0] ?? "" }, body: {} }))).toBe("TEAM_INVITATION_CLOSED");
  // A new word of an admin does.
  expect(refusal(await other.call(acceptTeamInvitation, { params: { token: tokens[1] ?? "" }, body: {} }))).toBeUndefined();
  expect((await other.take(getPersona, { params: { id: persona.id } })).persona.team_id).toBeNull();
  expect(refusal(await admin.call(getPersona, { params: { id: persona.id } }))).toBe("NOT_FOUND");
});

describe("chats of a team", () => {
  async function sharedWith(teamId: string, by: Person): Promise<string> {
    const { chatId } = await startChatAndRead(by, "say for the team");
    await by.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
    return chatId;
  }

  const statusFor = async (person: Person, chatId: string) => (await person.call(getChat, { params: { id: chatId } })).status;
  const listed = async (person: Person) => (await person.take(listChats, { query: { view: "all" } })).chats.map(({ id }) => id);

  it("chats of a team open to who joins and close to who leaves before the change is answered", async () => {
    const { admin, teamId } = await teamOf(0);
    const chatIds = [await sharedWith(teamId, admin), await sharedWith(teamId, admin)];
    const member = await signIn();
    await join(admin, teamId, member);
    for (const chatId of chatIds) expect(await statusFor(member, chatId)).toBe(200);
    await until("both chats on the list", async () => (await listed(member)).length === 2);
    const own = await sharedWith(teamId, member);
    await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: member.user.id } });
    for (const chatId of chatIds) expect(await statusFor(member, chatId)).toBe(404);
    await until("only their own chat on the list", async () => (await listed(member)).join() === own);
    // It is shared with the team still: who leaves takes nothing away.
    expect(await statusFor(admin, own)).toBe(200);
  });

  it("chats of a team close though the objects that are notified end meanwhile", async () => {
    const { admin, teamId, people } = await teamOf(1);
    const [member] = people;
    if (!member) throw new Error("There is no member.");
    const chatId = await sharedWith(teamId, admin);
    expect(await statusFor(member, chatId)).toBe(200);
    const ended = new Error("It ended.");
    vi.spyOn(ChatRoom.prototype, "refreshAccess").mockRejectedValueOnce(ended);
    vi.spyOn(UserHub.prototype, "openChats").mockRejectedValueOnce(ended);
    await admin.take(removeTeamMember, { params: { id: teamId }, query: { userId: member.user.id } });
    expect(await statusFor(member, chatId)).toBe(404);
  });

  it("all chats of a team with a hundred of them are let go", async () => {
    const { admin, teamId, people } = await teamOf(1);
    const at = new Date().toISOString();
    const chatIds = Array.from({ length: 100 }, () => crypto.randomUUID());
    await env.DB.prepare(
      `INSERT INTO chat_team_shares (id, chat_id, team_id, permission_level, shared_by, created_at)
         SELECT value, value, ?, 'viewer', ?, ? FROM json_each(?)`,
    )
      .bind(teamId, admin.user.id, at, JSON.stringify(chatIds))
      .run();
    expect(await selectTeamChatsAmong(openDatabase(env.DB), teamId, chatIds)).toHaveLength(100);
    await people[0]?.take(removeTeamMember, { params: { id: teamId }, query: { userId: people[0].user.id } });
    await admin.take(deleteTeam, { params: { id: teamId } });
    await until("the team's row gone", async () => {
      const rows = await env.DB.prepare("SELECT count(*) AS n FROM teams WHERE id = ?").bind(teamId).first<number>("n");
      return rows === 0;
    });
    const left = await env.DB.prepare("SELECT count(*) AS n FROM chat_team_shares WHERE team_id = ?").bind(teamId).first<number>("n");
    expect(left).toBe(0);
  });

  it("chats of a team are let go by a team that is deleted, and stay with those who own them", async () => {
    const { admin, teamId, people } = await teamOf(1);
    const [member] = people;
    if (!member) throw new Error("The team has no member.");
    const chatId = await sharedWith(teamId, admin);
    expect(await statusFor(member, chatId)).toBe(200);
    await admin.take(deleteTeam, { params: { id: teamId } });
    expect(await statusFor(member, chatId)).toBe(404);
    expect((await admin.take(listTeams, {})).teams).toEqual([]);
    expect((await admin.take(listShares, { params: { id: chatId } })).teamShares).toEqual([]);
    await until("the team's row gone", async () => {
      const rows = await env.DB.prepare("SELECT count(*) AS n FROM teams WHERE id = ?").bind(teamId).first<number>("n");
      return rows === 0;
    });
    expect(await statusFor(admin, chatId)).toBe(200);
  });
});

it("a public page's address with an invitation redirects to the application and keeps it", async () => {
  const response = await visitor().fetch(`/p/${crypto.randomUUID()}?team_invite=abc%26d`);
  expect([response.status, response.headers.get("location")]).toEqual([302, "/?team_invite=abc%26d"]);
});
