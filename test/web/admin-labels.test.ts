import { describe, expect, it } from "vitest";
import {
  auditActionText,
  changesOf,
  headlineOf,
  jobLabel,
  lastSeen,
  monthBeside,
  monthName,
} from "#web/features/shell/admin/admin-labels.ts";
import { adminPath, readView } from "#web/features/shell/admin/admin-view.ts";

const subject = { kind: "user", id: "1", name: "Ines Moreau", email: "ines@nordlicht.studio" } as const;
const NOW = new Date(2026, 10, 22, 17, 0);

it("what administrators did reads as a sentence after the administrator's name", () => {
  const textOf = (action: Parameters<typeof auditActionText>[0]["action"], before = {}, after = {}) =>
    auditActionText({ action, subject, before, after });
  expect(textOf("user.credits", { credits: 5 }, { credits: 25, given: 20 })).toBe("gave $20.00 of credits to Ines Moreau");
  expect(textOf("user.plan", { plan: "none" }, { plan: "team" })).toBe("changed the plan of Ines Moreau from None to Team");
  expect(textOf("user.block")).toBe("blocked Ines Moreau");
  expect(textOf("invite.create", {}, { plan: "team", credits: 20 })).toBe("made an invite, Team plan, $20.00, for Ines Moreau");
  const code = { ...subject, kind: "invite", name: "VM6KXPKX7AYC", email: null } as const;
  expect(auditActionText({ action: "invite.return", subject: code, before: { plan: "none", credits: 5 }, after: null })).toBe(
    "took back an invite, $5.00, VM6K-XPKX-7AYC",
  );
  expect(textOf("plan.refuse", { waiting: "solo" })).toBe("refused the plan Solo of Ines Moreau");
  expect(auditActionText({ action: "job.retry", subject: { ...subject, name: "file.read" }, before: null, after: null })).toBe(
    "sent a job anew: Read files",
  );
});

it("what administrators did names each field that changed, whichever side has it", () => {
  expect(changesOf({ before: { blocked: false }, after: { blocked: true } })).toEqual([{ field: "blocked", from: "no", to: "yes" }]);
  expect(changesOf({ before: null, after: { plan: "team", team: null } })).toEqual([{ field: "plan", from: "", to: "team" }]);
});

describe("the first line", () => {
  const overview = {
    accounts: { count: 312, areMore: false },
    today: { count: 41, areMore: false },
    month: "2026-11",
    spent: 184.2,
    spent_before: 173.77,
    stuck_jobs: 1,
  };

  it("the overview's first line says who is here, what it costs and what is stuck", () => {
    expect(headlineOf(overview)).toBe(
      "312 accounts, 41 people here today. $184.20 spent in November, 6 % more than by this day of October. 1 job is stuck.",
    );
  });

  it("the overview's first line says no more than is known", () => {
    expect(headlineOf({ ...overview, accounts: { count: 100_000, areMore: true }, spent_before: 0, stuck_jobs: 0 })).toBe(
      "More than 100,000 accounts, 41 people here today. $184.20 spent in November.",
    );
    expect(
      headlineOf({
        ...overview,
        accounts: { count: 1, areMore: false },
        today: { count: 1, areMore: false },
        spent_before: 184.2,
        stuck_jobs: 2,
      }),
    ).toBe("1 account, 1 person here today. $184.20 spent in November, as much as by this day of October. 2 jobs are stuck.");
  });
});

it("times of a last visit are as exact as they are noted", () => {
  const ago = (ms: number) => lastSeen(new Date(NOW.getTime() - ms).toISOString(), NOW);
  const hour = 60 * 60_000;
  expect([ago(0), ago(3 * hour), ago(14 * hour), ago(20 * hour), ago(4 * 24 * hour)]).toEqual([
    "this hour",
    "3 h",
    "today",
    "yesterday",
    "Wed",
  ]);
});

it("times of a month go back and forth over the year's end", () => {
  expect([monthBeside("2026-01", -1), monthBeside("2025-12", 1)]).toEqual(["2025-12", "2026-01"]);
  expect([monthName("2026-11", NOW), monthName("2025-12", NOW)]).toEqual(["November", "December 2025"]);
});

it("an address of the administration names what is shown, and an unknown one the overview", () => {
  const view = (path: string) => readView(new URL(path, "http://localhost").searchParams);
  expect(view(adminPath("audit", "a&b"))).toEqual({ view: "audit", subject: "a&b" });
  expect(view(adminPath("jobs"))).toEqual({ view: "jobs", subject: null });
  for (const path of [adminPath("overview"), "/admin?view=toString", "/admin?view=users&subject=x"]) {
    expect(view(path)).toEqual({ view: "overview", subject: null });
  }
});

it("A job that has no words stands as it is called", () => {
  expect([jobLabel("file.read"), jobLabel("mail.send"), jobLabel("")]).toEqual(["Read files", "mail.send", "No known job"]);
});
