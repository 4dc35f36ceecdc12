import { describe, expect, test, vi } from "vitest";
import type { Features, User } from "#shared/entities/user.ts";
import { greetingFor, invitationFor } from "#web/features/conversation/chat/home-greeting.tsx";
import {
  countWords,
  formatDuration,
  formatWait,
  reasoningLabel,
  replyStats,
  savedWordCountText,
} from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { id } from "./message-factory.ts";

test("what an answer took is said as time, tokens and cost, in this order", () => {
  const usage = { prompt_tokens: 1_800, completion_tokens: 518, reasoning_tokens: 120, duration_ms: 14_234 };
  expect(replyStats({ usage, cost: 0.0184 })).toEqual(["14.2 s", "2,318 tokens", "$0.0184"]);
  expect(replyStats({ usage: null, cost: null })).toEqual([]);
});

test.each([
  [400, "0.4 s"],
  [59_940, "59.9 s"],
  [125_000, "2 min 5 s"],
])("what an answer took takes %i ms as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [59, "59 s"],
  [61, "2 min"],
  [3540, "59 min"],
  [3600, "1 h"],
  [3601, "2 h"],
])("what an answer took waits %i s as %s", (seconds, text) => expect(formatWait(seconds)).toBe(text));

test.each([
  [0, "$0"],
  [0.00004, "<$0.0001"],
  [0.0184, "$0.0184"],
  [1.5, "$1.5000"],
])("what an answer took costs %d as %s", (cost, text) => expect(formatCost(cost)).toBe(text));

test.each([
  [null, true, "Thinking"],
  [9_400, false, "Thought for 9 s"],
  [90_000, false, "Thought for 1 min 30 s"],
  [300, false, "Thought for a moment"],
  [null, false, "Thought"],
])("reasoning of %s ms, still going: %s, is called %s", (ms, isThinking, label) => expect(reasoningLabel(ms, isThinking)).toBe(label));

test("saved words are counted in every script", () => {
  expect(countWords("The tail, not the **whole**.")).toBe(5);
  expect(countWords("我喜欢这本书")).toBeGreaterThan(1);
  expect(countWords(" \n")).toBe(0);
});

test("saved words are numbers too, also in a browser that takes these for none", () => {
  const segments = ["In", " ", "1842", "."].map((segment) => ({ segment, isWordLike: segment === "In" }));
  vi.stubGlobal("Intl", {
    Segmenter: class {
      segment = () => segments;
    },
  });
  expect(countWords("In 1842.")).toBe(2);
  vi.unstubAllGlobals();
});

test("saved words are named in one sentence", () => {
  expect(savedWordCountText("one")).toBe("1 word is saved.");
  expect(savedWordCountText("one two")).toBe("2 words are saved.");
  expect(savedWordCountText("word ".repeat(1_200))).toBe("1,200 words are saved.");
});

describe("the home screen", () => {
  const user: User = {
    id: id(1),
    display_name: "Ines Okafor",
    email: "ines@example.com",
    profile_image: null,
    preferred_model: null,
    model_allowlist: null,
    auto_mode_default: false,
    artifacts_enabled: false,
    memory_enabled: false,
    credits: 5,
    anonymous: false,
    whatsapp_verified: false,
    is_admin: false,
    team_plan: false,
    solo_plan: false,
    additional_emails: [],
    triggered_model: null,
    triggered_tool_categories: null,
    triggered_system_prompt_id: null,
    triggered_context_ids: null,
    triggered_memory_enabled: true,
    triggered_autopilot_enabled: false,
    triggered_reply_all_enabled: false,
    triggered_daily_budget: 1,
    notify_replies: false,
    notify_approvals: true,
    notify_shares: true,
    notify_imports: true,
    notify_schedules: true,
    approval_days: 7,
    time_zone: "UTC",
    time_zone_chosen: false,
  };
  const features: Features = {
    google: true,
    gmail: false,
    drive: false,
    picker: false,
    email: true,
    guests: true,
    feedback: true,
    demo: false,
    mailbox: false,
    transcription: false,
    whatsapp: false,
    push: false,
    shareLinks: true,
    artifacts: true,
    teamsForAll: false,
    signUpByInvite: false,
    operatorEmail: null,
    guestMessagesPerDay: 10,
    version: "1",
  };

  test("the home screen greets by the time of day and the first name", () => {
    expect(greetingFor(new Date(2026, 10, 20, 15), user)).toBe("Good afternoon, Ines");
    expect(greetingFor(new Date(2026, 10, 20, 9), { ...user, anonymous: true })).toBe("Good morning");
    expect(greetingFor(new Date(2026, 10, 20, 22), null)).toBe("Good evening");
  });

  test("the home screen shows who is not signed in how much is free", () => {
    expect(invitationFor(features, null)).toBe("One chat with every model, in one place. 10 free messages a day, without an account.");
    expect(invitationFor({ ...features, guestMessagesPerDay: 1 }, null)).toContain("1 free message a day");
    expect(invitationFor({ ...features, guestMessagesPerDay: 1_000 }, null)).toContain("1,000 free messages a day");
    expect(invitationFor({ ...features, guests: false }, null)).toContain("Sign in to start.");
    expect(invitationFor(features, user)).toBeNull();
  });
});
