import { expect, it } from "vitest";
import type { Schedule } from "#shared/entities/schedules/schedule.ts";
import {
  budgetOf,
  draftOf,
  newDraft,
  problemOf,
  toBody,
  upcoming,
  withWhen,
  withWhenText,
  withZone,
} from "#web/features/conversation/schedules/schedule-draft.ts";
import { lastRunLabel, nextRunLabel } from "#web/features/conversation/schedules/schedule-labels.ts";

// A Monday, 10:00 in Berlin.
const NOW = Date.parse("2026-11-23T09:00:00.000Z");
const ZONE = "Europe/Berlin";
const ID = crypto.randomUUID();

const SAVED_SCHEDULE: Schedule = {
  id: ID,
  title: "Brief",
  text: "Sum up the news.",
  prompt_id: null,
  variables: {},
  when: { kind: "weekdays", time: "08:00" },
  words: "Every weekday at 8:00",
  time_zone: ZONE,
  chat: "new",
  chat_id: null,
  model_id: null,
  persona_id: null,
  tool_categories: null,
  budget: 0.5,
  state: "active",
  note: null,
  next_at: "2026-11-24T07:00:00.000Z",
  checked_at: null,
  last_run: null,
  created_at: "2026-11-20T07:00:00.000Z",
  updated_at: "2026-11-20T07:00:00.000Z",
};

it("a schedule in its form begins with the draft, whose first words may say when", () => {
  const draft = newDraft({ text: "every friday at 16:00: thank the team", zone: ZONE, now: NOW });
  expect(draft).toMatchObject({
    text: "thank the team",
    whenText: "every friday at 16:00",
    when: { kind: "weekly", days: [5], time: "16:00" },
  });
  expect(newDraft({ text: "thank the team", zone: ZONE, now: NOW })).toMatchObject({
    text: "thank the team",
    when: { kind: "weekdays", time: "08:00" },
  });
});

it("a schedule in its form shows the next three times in its zone, whichever way they were given", () => {
  const draft = newDraft({ text: "Hello", zone: ZONE, now: NOW });
  const spoken = withWhenText(draft, "every day at 9", NOW);
  expect(upcoming(spoken, NOW).map((at) => new Date(at).toISOString())).toEqual([
    "2026-11-24T08:00:00.000Z",
    "2026-11-25T08:00:00.000Z",
    "2026-11-26T08:00:00.000Z",
  ]);
  const chosen = withWhen(draft, { kind: "monthly", day: 31, time: "09:00" });
  expect(chosen.whenText).toBe("Every month on the last day at 9:00");
  expect(upcoming(withZone(chosen, "UTC"), NOW)[0]).toBe(Date.parse("2026-11-30T09:00:00.000Z"));
  const once = withWhenText(draft, "tomorrow at 9", NOW);
  expect(withZone(once, "Asia/Tokyo").when).toEqual({ kind: "once", at: "2026-11-24T00:00:00.000Z" });
});

it("a schedule in its form says what is wrong, and is saved as it was held", () => {
  const draft = draftOf(SAVED_SCHEDULE);
  expect(toBody(draft, { id: ID, chatId: null })).toEqual({
    id: ID,
    title: "Brief",
    text: "Sum up the news.",
    prompt_id: null,
    variables: {},
    when: SAVED_SCHEDULE.when,
    time_zone: ZONE,
    chat: "new",
    model_id: null,
    persona_id: null,
    tool_categories: null,
    budget: 0.5,
  });
  expect(problemOf({ ...draft, text: " " }, NOW)).toBe("Write what is to be sent.");
  expect(problemOf(withWhenText(draft, "soon", NOW), NOW)).toBe("Say when it is to run.");
  expect([budgetOf(""), budgetOf("$0,25"), budgetOf("much"), budgetOf("101")]).toEqual([null, 0.25, undefined, undefined]);
  expect(toBody({ ...draft, place: "this" }, { id: ID, chatId: ID })).toMatchObject({ chat: "same", chat_id: ID });
});

it("a schedule in its form stands in the list with its next time and what became of the last one", () => {
  expect([nextRunLabel(SAVED_SCHEDULE), lastRunLabel(SAVED_SCHEDULE)]).toEqual(["Next Tue 24 Nov, 8:00", "Has not run yet"]);
  expect(nextRunLabel({ ...SAVED_SCHEDULE, state: "paused" })).toBe("Paused");
  const page = { ...SAVED_SCHEDULE, when: { kind: "page" as const, url: "https://example.org" }, checked_at: "2026-11-23T08:00:00.000Z" };
  expect(lastRunLabel(page)).toBe("No change so far, looked at Mon 23 Nov, 9:00");
});
