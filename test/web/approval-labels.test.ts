import { expect, it } from "vitest";
import {
  timeAgo,
  decisionLabel,
  mailDeletionLabel,
  expiryLabel,
  pendingCallsSummary,
} from "#web/features/conversation/approvals/approval-labels.ts";
import { authenticationLabel, receiversLabel, mailStateLabel, writerOf } from "#web/features/mail/mails/mail-labels.ts";

const NOW = new Date(2026, 10, 22, 18, 0);
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

it("How long something waits stands in the unit that matters", () => {
  expect([0, 1, 26, 60, 190].map((minutes) => timeAgo(before(minutes), NOW))).toEqual([
    "just now",
    "1 minute ago",
    "26 minutes ago",
    "1 hour ago",
    "3 hours ago",
  ]);
  expect(timeAgo(before(13 * 60), NOW)).toBe("5:00");
});

it("When it ends is given by the day", () => {
  const day = 24 * 60;
  expect([0, -day, -7 * day].map((minutes) => expiryLabel(before(minutes), NOW))).toEqual([
    "expires today",
    "expires tomorrow",
    "expires in 7 days",
  ]);
});

it("Calls and their chats are counted in words", () => {
  expect([pendingCallsSummary(1, 1), pendingCallsSummary(3, 2), pendingCallsSummary(40, 13)]).toEqual([
    "One call from one chat. Nothing happens until you approve it.",
    "Three calls from two chats. Nothing happens until you approve it.",
    "40 calls from 13 chats. Nothing happens until you approve it.",
  ]);
});

it("A mail says who wrote it, to whom, whether that is proven, and what became of it", () => {
  const from = { from_name: "", from_addr: "ann@example.org" };
  expect([writerOf({ ...from, direction: "in" }), writerOf({ ...from, direction: "out" })]).toEqual(["ann@example.org", "This chat"]);
  expect(receiversLabel({ direction: "in", to_addr: ["x@example.org"], cc_addr: ["y@example.org"] })).toBe(
    "to this chat, cc y@example.org",
  );
  expect(receiversLabel({ direction: "out", to_addr: ["x@example.org", "z@example.org"], cc_addr: [] })).toBe(
    "to x@example.org, z@example.org",
  );
  const proofs = [null, { result: "pass", by: "dkim" }, { result: "fail", by: null }, { result: "none", by: null }] as const;
  expect(proofs.map((authentication) => authenticationLabel({ authentication })?.text)).toEqual([
    undefined,
    "DKIM pass",
    "Sender not proven",
    "No DKIM or DMARC",
  ]);
  expect((["sent", "bounced", "draft"] as const).map((state) => mailStateLabel({ ...from, state, authentication: null })?.text)).toEqual([
    undefined,
    "Came back",
    "Draft, not sent",
  ]);
  const quarantined = { ...from, state: "quarantined" as const };
  expect(mailStateLabel({ ...quarantined, authentication: { result: "pass", by: "dkim" } })?.text).toBe("Sender unknown");
  expect(mailStateLabel({ ...quarantined, authentication: { result: "none", by: null } })?.text).toBe(
    "Not proven to be from ann@example.org",
  );
});

it("What became of a call, and when a stranger's mail goes, stands in words", () => {
  const user = { id: crypto.randomUUID(), display_name: "Ann" };
  const approvals = [
    { user, decision: "approve" as const },
    { user, decision: "always" as const },
    { user, decision: "discard" as const },
    { user, decision: "discard" as const, isChangeAsked: true },
    { user, decision: "discard" as const, isExpired: true },
    { user, decision: null },
  ];
  expect(approvals.map(decisionLabel)).toEqual(["Approved", "Always allowed", "Discarded", "Changed", "Expired", "Ended with its reply"]);
  const inDays = (days: number) => mailDeletionLabel(new Date(NOW.getTime() + days * 24 * 3_600_000).toISOString(), NOW);
  expect([0, 1, 12].map(inDays)).toEqual(["deleted today", "deleted tomorrow", "deleted in 12 days"]);
});
