import { expect, it } from "vitest";
import { arrivalQueryParameters, readArrivals } from "#shared/sign-in/arrivals.ts";
import type { Invite, InviteBalance } from "#shared/entities/invite.ts";
import { describeRequiredPlans, describePlan } from "#shared/plan-descriptions.ts";
import { NO_OPTIONS, readOptions } from "#web/features/people/invites/invite-options.ts";
import { balanceNote, balanceTitle, formatDollars, inviteNote } from "#web/features/people/invites/invite-labels.ts";
import { companionOf } from "#web/features/people/invites/use-invites.ts";
import { carriedInvite, isInvitedToTeam, keepInvite } from "#web/features/people/session/arrived-invite.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

function balance(change: Partial<InviteBalance>): InviteBalance {
  return { month: "2026-11", limit: 3, left: 2, made: 1, used: 0, resets_at: "2026-12-01T00:00:00.000Z", default_credits: 5, ...change };
}

function invite(change: Partial<Invite>): Invite {
  return {
    id: "0b6f4c2e-71d8-4a53-9e1c-5f20c8d7a914",
    code: "KITA2F7H9MRD",
    created_at: "2026-11-22T08:00:00.000Z",
    sent_to: null,
    auto_activate: true,
    team_plan: false,
    solo_plan: false,
    team_id: null,
    team_name: null,
    initial_credits: 5,
    ...change,
  };
}

it.each([
  [balance({}), "2 of 3 left in November", "Three new ones on 1 December. What is left does not carry over."],
  [balance({ left: 0 }), "No invites remaining this month", "Three new ones on 1 December. What is left does not carry over."],
  [balance({ limit: 0, left: 0, resets_at: null }), "No invites", "Your plan came by an invite. Such accounts have none to give."],
  [
    balance({ limit: null, left: null, made: 7, used: 3, resets_at: null }),
    "No limit",
    "You are an administrator. 7 made in November, 3 of them used.",
  ],
])("the balance is described in words", (given, title, note) => {
  expect([balanceTitle(given), balanceNote(given)]).toEqual([title, note]);
});

it.each([
  [{}, "Made today"],
  [{ sent_to: "Hanna Voss", team_name: "Nordlicht Studio" }, "Hanna Voss, joins Nordlicht Studio, made today"],
  [{ created_at: "2026-11-21T08:00:00.000Z" }, "Made yesterday"],
  [{ created_at: "2026-11-17T08:00:00.000Z" }, "Made on Tuesday"],
  [{ created_at: "2026-11-04T08:00:00.000Z", solo_plan: true, auto_activate: false }, "Made on 4 November, waits for approval once used"],
  [{ created_at: "2025-10-29T08:00:00.000Z", auto_activate: false }, "Made on 29 October 2025"],
])("an unused invite of %j is described", (change, note) => {
  expect(inviteNote(invite(change), NOW)).toBe(note);
});

it("an unused invite goes along with the mail to the address that it is meant for, else a new one, else none where sign-up is open", () => {
  const meant = invite({ sent_to: "Hanna@Example.com" });
  const open = { email: " hanna@example.com ", signUpByInvite: false };
  const none = balance({ left: 0 });
  expect(companionOf({ invites: [invite({}), meant], balance: none }, open)).toEqual({ kind: "held", invite: meant });
  expect(companionOf({ invites: [invite({})], balance: balance({}) }, open)).toEqual({ kind: "new" });
  expect(companionOf({ invites: [], balance: balance({ limit: null, left: null }) }, open)).toEqual({ kind: "new" });
  expect(companionOf({ invites: [], balance: none }, open)).toEqual({ kind: "none" });
  expect(companionOf({ invites: [], balance: none }, { ...open, signUpByInvite: true })).toEqual({ kind: "stuck" });
});

it("an administrator's options are sent as chosen, and left to the server where they are empty", () => {
  expect(readOptions(NO_OPTIONS)).toEqual({ body: { auto_activate: true, team_plan: false, solo_plan: false } });
  const id = "0B6F4C2E-71D8-4A53-9E1C-5F20C8D7A914";
  expect(readOptions({ plan: "team", credits: "0", teamId: ` ${id} `, isActive: false })).toEqual({
    body: { auto_activate: false, team_plan: true, solo_plan: false, team_id: id.toLowerCase(), initial_credits: 0 },
  });
});

it.each(["-1", "1.5", "1001", "ten"])("an administrator's options refuse credits of %s", (credits) => {
  expect(readOptions({ ...NO_OPTIONS, credits })).toEqual({ problems: { credits: "A whole number from 0 to 1000." } });
});

it("an administrator's options refuse a team id that is no UUID", () => {
  expect(readOptions({ ...NO_OPTIONS, teamId: "press" })).toMatchObject({ problems: { teamId: expect.stringContaining("UUID") } });
});

it("a code on its way to signing up is read from the page's address together with what else stands there", () => {
  const arrivals = readArrivals(new URLSearchParams("invite=KITA&team_invite=a.b"));
  expect(arrivals).toEqual([
    { kind: "invite", token: "KITA" },
    { kind: "team", token: "a.b" },
  ]);
  expect(arrivalQueryParameters(arrivals)).toEqual([
    ["invite", "KITA"],
    ["team_invite", "a.b"],
  ]);
});

it("a code on its way to signing up is the address's, the way back's, or of a link followed before", () => {
  expect(carriedInvite({ search: "?invite=AAA", returnUrl: "/?invite=BBB" })).toBe("AAA");
  expect(carriedInvite({ search: "", returnUrl: "/c/1?invite=BBB#x" })).toBe("BBB");
  keepInvite("CCC");
  expect(carriedInvite({ search: "", returnUrl: "/" })).toBe("CCC");
  keepInvite("");
  expect(carriedInvite({ search: "", returnUrl: "/" })).toBe("");
  expect([isInvitedToTeam("/?team_invite=a.b"), isInvitedToTeam("/?invite=a")]).toEqual([true, false]);
});

it("Plans say what they open, and closed doors which plans open them", () => {
  expect(describePlan("solo")).toBe("Opens Pro models.");
  expect(describePlan("team")).toBe("Opens Pro models and teams of your own.");
  expect(describeRequiredPlans("proModels")).toBe("Pro models come with the solo plan or the team plan.");
  expect(describeRequiredPlans("teams")).toBe("Teams of your own come with the team plan.");
  expect([formatDollars(5), formatDollars(2.5)]).toEqual(["$5", "$2.50"]);
});
