import { expect, test } from "vitest";
import type { Shares, UserShare } from "#shared/entities/share.ts";
import { contentAccessOf, teamNameOf, teamsToGive } from "#web/features/people/teams/use-content-rights.ts";
import { typingLine } from "#web/features/conversation/sharing/typing-line.tsx";
import { shareCountLabel, toRows, withRemoved } from "#web/features/people/sharing/share-people.ts";

const AT = "2026-11-20T10:00:00.000Z";

function person(name: string, more: Partial<UserShare> = {}): UserShare {
  const id = crypto.randomUUID();
  return {
    id,
    userId: crypto.randomUUID(),
    userDisplayName: name,
    userEmail: `${name.toLowerCase()}@example.com`,
    permissionLevel: "viewer",
    sharedAt: AT,
    pending: false,
    ...more,
  };
}

function shares(userShares: UserShare[], teamShares: Shares["teamShares"] = []): Shares {
  return { creator: { displayName: "Lena", email: "lena@example.com" }, userShares, teamShares };
}

const TEAM = { id: crypto.randomUUID(), teamId: crypto.randomUUID(), teamName: "Studio", permissionLevel: "editor", sharedAt: AT } as const;

test("the rows of a share dialog name people, invited addresses and teams, in this order, and mark oneself", () => {
  const [jonas, invited] = [
    person("Jonas"),
    person("x", { userId: null, userDisplayName: null, userEmail: "noor@example.com", pending: true }),
  ];
  const other = { ...TEAM, id: crypto.randomUUID(), teamId: crypto.randomUUID(), teamName: "Elsewhere" };
  const rows = toRows(shares([jonas, invited], [TEAM, other]), { ownId: jonas.userId, teams: [{ id: TEAM.teamId, memberCount: 4 }] });
  expect(rows.map(({ name, note, isYou }) => ({ name, note, isYou }))).toEqual([
    { name: "Jonas", note: "jonas@example.com", isYou: true },
    { name: "noor@example.com", note: "Invited, not signed up yet", isYou: false },
    { name: "Studio", note: "4 members", isYou: false },
    { name: "Elsewhere", note: "Team", isYou: false },
  ]);
});

test("the rows of a share dialog cannot share again with somebody whose address is not shown", () => {
  expect(toRows(shares([person("Ines", { userEmail: "" })]), { ownId: null, teams: [] })[0]?.key).toBeNull();
});

test("the rows of a share dialog keep the place of one just removed until it is shared with again", () => {
  const people = [person("Ada"), person("Ben"), person("Cleo")];
  const [first, second, third] = toRows(shares(people), { ownId: null, teams: [] });
  if (!first || !second || !third) throw new Error("three rows were expected");
  const removed = [{ row: second, at: 1 }];
  expect(withRemoved([first, third], removed).map(({ name, isRemoved }) => `${name} ${isRemoved}`)).toEqual([
    "Ada false",
    "Ben true",
    "Cleo false",
  ]);
  const again = { ...second, id: crypto.randomUUID() };
  expect(withRemoved([first, third, again], removed).map(({ name, isRemoved }) => `${name} ${isRemoved}`)).toEqual([
    "Ada false",
    "Cleo false",
    "Ben false",
  ]);
});

test("the rows of a share dialog are counted with their owner", () => {
  expect(shareCountLabel(shares([]))).toBe("1 person");
  expect(shareCountLabel(shares([person("Ada"), person("Ben")], [TEAM]))).toBe("3 people, 1 team");
});

test("who is typing is named up to two, never oneself", () => {
  const at = (display_name: string, typing: boolean) => ({ user_id: display_name, display_name, typing });
  expect(typingLine([at("Ines", false)], null)).toBe("");
  expect(typingLine([at("Ines", true)], "Ines")).toBe("");
  expect(typingLine([at("Ines", true), at("Jonas", true)], null)).toBe("Ines and Jonas are typing…");
  expect(typingLine([at("A", true), at("B", true), at("C", true)], null)).toBe("3 people are typing…");
});

test("a team that leaves content to its admins is neither offered to others, nor do they change what they gave it before", () => {
  const team = (id: string, user_role: "admin" | "member", content_admin_only: boolean) => ({
    id,
    name: id,
    user_role,
    content_admin_only,
  });
  const teams = [team("open", "member", false), team("closed", "member", true), team("run", "admin", true)];
  const rights = (team_id: string | null) => contentAccessOf({ user_id: "me", team_id }, "me", teams);
  expect(teamsToGive(teams, null, true).map(({ id }) => id)).toEqual(["open", "run"]);
  expect(teamsToGive(teams, "closed", true).map(({ id }) => id)).toEqual(["open", "closed", "run"]);
  expect(["open", "closed", "run", null].map((id) => rights(id).rights.edit)).toEqual([true, false, true, true]);
  expect(rights("closed")).toMatchObject({ isOwn: true, rights: { use: true, share: false, delete: true } });
  expect(rights("left")).toMatchObject({ rights: { edit: true } });
  // Its admins change what others made, and give it to no other team.
  expect(contentAccessOf({ user_id: "you", team_id: "run" }, "me", teams)).toMatchObject({
    isOwn: false,
    rights: { edit: true, share: true },
  });
  expect(teamsToGive(teams, "run", false).map(({ id }) => id)).toEqual(["run"]);
  expect(["open", "left", null].map((id) => teamNameOf(id, teams))).toEqual(["open", "Team", null]);
});
