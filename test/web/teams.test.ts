import { describe, expect, it } from "vitest";
import { arrivalQueryParameters, readArrivals } from "#shared/sign-in/arrivals.ts";
import type { Team, TeamInvitation, TeamMember } from "#shared/entities/team.ts";
import { acceptFailure, invitationState, type Reader } from "#web/features/people/teams/invitation-state.ts";
import { createdLabel, hiddenAtFirst, ownFirst, pendingLabel, remaining, sizeLabel } from "#web/features/people/teams/team-labels.ts";
import { ApiError } from "#web/lib/api.ts";

const NOW = new Date(2026, 10, 12, 15, 0);
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString();

const team: Team = {
  id: "team",
  name: "Nordlicht Studio",
  description: null,
  user_role: "member",
  created_by: "lena",
  created_at: new Date(2025, 2, 4, 9).toISOString(),
  memberCount: 6,
  members_restricted: false,
  content_admin_only: false,
};

const pending: TeamInvitation = {
  id: "invitation",
  email: "lena@brandt.work",
  token: "token",
  status: "pending",
  expires_at: at(17),
  created_at: at(10),
  decided_at: null,
  teams: { name: "Open Archive group", description: null, memberCount: null },
  inviter: { display_name: "Tomás Ribeiro", email: null },
};

function member(id: string, name: string): TeamMember {
  return { id, user_id: id, role: "member", users: { display_name: name, email: null, profile_image: null } };
}

it("a team in words says how many are in it, and whether one manages it", () => {
  expect(sizeLabel({ memberCount: 14, user_role: "member" })).toBe("14 members");
  expect(sizeLabel({ memberCount: 1, user_role: "admin" })).toBe("1 member, you are an admin");
});

it("a team in words says who made it where that is known, and when", () => {
  const members = [member("lena", "Lena Brandt")];
  expect(createdLabel(team, { ownId: "lena", members })).toBe("Created by you on 4 March 2025.");
  expect(createdLabel(team, { ownId: "ines", members })).toBe("Created by Lena Brandt on 4 March 2025.");
  expect(createdLabel(team, { ownId: "ines", members: [] })).toBe("Created on 4 March 2025.");
});

it("a team in words has one's own row first and leaves the others in their order", () => {
  const rows = ownFirst([member("a", "A"), member("b", "B"), member("c", "C")], "b");
  expect(rows.map(({ user_id: id }) => id)).toEqual(["b", "a", "c"]);
});

it("a team in words shows four members at first, or five where those are all", () => {
  expect([1, 4, 5, 6, 100].map(hiddenAtFirst)).toEqual([0, 0, 0, 2, 96]);
});

it("a team in words counts what is left of an invitation in days of the calendar", () => {
  expect([at(17), at(13, 1), at(12, 23), at(12, 14), at(11)].map((until) => remaining(until, NOW))).toEqual([
    "in 5 days",
    "tomorrow",
    "today",
    null,
    null,
  ]);
});

it("a team in words says when an invitation expires and who sent it", () => {
  expect(pendingLabel(pending, { email: "ines@nordlicht.studio" }, NOW)).toBe("Expires in 5 days, sent by Tomás");
  const own = { expires_at: at(13), inviter: { display_name: "Ines", email: "ines@nordlicht.studio" } };
  expect(pendingLabel(own, { email: "ines@nordlicht.studio" }, NOW)).toBe("Expires tomorrow, sent by you");
  expect(pendingLabel({ expires_at: at(11), inviter: { display_name: "", email: null } }, null, NOW)).toBe("Expired");
});

describe("the dialog of an invitation", () => {
  const reader: Reader = { status: "user", user: { email: "Lena@Brandt.work" } };
  const visitor: Reader = { status: "visitor", user: null };
  type Given = { reader?: Reader; error?: Error; joined?: Team };
  const state = (invitation: TeamInvitation | undefined, given: Given = {}) =>
    invitationState({ invitation, error: given.error ?? null, joined: given.joined, session: given.reader ?? reader });

  it("the dialog of an invitation lets nobody but the invited address accept, in whatever case it is written", () => {
    expect(state(pending).kind).toBe("open");
    expect(state(pending, { reader: { status: "user", user: { email: "lena@nordlicht.studio" } } })).toMatchObject({
      kind: "mismatch",
      ownEmail: "lena@nordlicht.studio",
    });
    expect(state(pending, { reader: visitor }).kind).toBe("signIn");
    expect(state(pending, { reader: { status: "guest", user: { email: null } } }).kind).toBe("signIn");
    expect(state(pending, { reader: { status: "loading", user: null } }).kind).toBe("loading");
    expect(state(undefined).kind).toBe("loading");
  });

  it("the dialog of an invitation says what became of an invitation that is not open, to whoever looks", () => {
    const closed = (change: Partial<TeamInvitation>) => state({ ...pending, ...change }, { reader: visitor });
    expect(closed({ status: "expired", expires_at: at(5) })).toMatchObject({
      notice: "This invitation has expired.",
      detail: "It was open until 5 November. Ask Tomás for a new one.",
    });
    expect(closed({ status: "cancelled", decided_at: at(6) })).toMatchObject({
      notice: "This invitation has been cancelled.",
      detail: null,
    });
    expect(closed({ status: "accepted", decided_at: at(6) })).toMatchObject({
      notice: "This invitation has already been accepted.",
      detail: "On 6 November, by lena@brandt.work.",
    });
  });

  it("the dialog of an invitation says why a link shows nothing: none of ours, wrong, or not to be asked right now", () => {
    const failed = (code: string, status: number) => state(undefined, { error: new ApiError({ code, message: "Because.", status }) });
    expect(failed("TEAM_INVITATION_NOT_FOUND", 404)).toEqual({ kind: "unknown" });
    expect(failed("INVALID_INPUT", 400)).toEqual({ kind: "failed", notice: "Invalid invitation", detail: "Because." });
    for (const [code, status] of [
      ["OFFLINE", 0],
      ["INTERNAL", 500],
      ["RATE_LIMITED", 429],
    ] as const) {
      expect(failed(code, status)).toEqual({ kind: "failed", notice: "Failed to load invitation", detail: "Because." });
    }
  });

  it("the dialog of an invitation welcomes before it says that the invitation is used", () => {
    expect(state({ ...pending, status: "accepted" }, { joined: team })).toEqual({ kind: "welcome", team });
  });

  it("the dialog of an invitation promises that nothing has changed only where the server answered", () => {
    const failureFor = (code: string, status: number) => acceptFailure(new ApiError({ code, message: "Because.", status }));
    const [generic, detail] = ["Failed to accept invitation", "Nothing has changed. The invitation is still open."];
    expect(failureFor("INTERNAL", 500)).toEqual({ notice: generic, detail });
    expect(failureFor("RATE_LIMITED", 429)).toEqual({ notice: "Because.", detail });
    expect(failureFor("OFFLINE", 0)).toEqual({ notice: generic, detail: "Because. Try again in a moment." });
  });
});

it("an address with an invitation and share links yields the invitation first, and signing in keeps them all", () => {
  const query = new URLSearchParams("share_system_prompt=a&team_invite=b%26c&x=1");
  const arrivals = readArrivals(query);
  expect(arrivals).toEqual([
    { kind: "team", token: "b&c" },
    { kind: "persona", token: "a" },
  ]);
  expect(new URLSearchParams(arrivalQueryParameters(arrivals)).toString()).toBe("team_invite=b%26c&share_system_prompt=a");
});
