import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { vi } from "vitest";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { createSchedule, getSchedule, listScheduleRuns } from "#shared/contracts/schedules.ts";
import type { Message } from "#shared/entities/message.ts";
import type { Schedule, ScheduleRun } from "#shared/entities/schedules/schedule.ts";
import { CHEAP_MODEL } from "./replies.ts";
import { unlessEnded, until } from "./until.ts";
import type { Person } from "./worker.ts";

/** The hub that keeps somebody's schedules. */
export const scheduleHub = ({ user }: Pick<Person, "user">) => env.USER_HUB.getByName(user.id);

/** A schedule of somebody's own. */
export async function createOwnSchedule(person: Person, body: Partial<BodyOf<typeof createSchedule>> = {}): Promise<Schedule> {
  const base = { id: crypto.randomUUID(), when: "every day at 8", time_zone: "UTC", text: "say Good morning.", model_id: CHEAP_MODEL };
  return (await person.take(createSchedule, { body: { ...base, ...body } })).schedule;
}

/** Lets the hub's alarm come at a time, as often as something is due then. */
export async function wakeHubAt(person: Person, now: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    for (let times = 0; times < 4; times += 1) await unlessEnded(() => runDurableObjectAlarm(scheduleHub(person)));
  } finally {
    vi.useRealTimers();
  }
}

/** The history of a schedule. */
export async function runsOf(person: Person, { id }: Pick<Schedule, "id">): Promise<ScheduleRun[]> {
  return (await person.take(listScheduleRuns, { params: { id } })).runs;
}

/** A schedule as it stands. */
export async function findSchedule(person: Person, { id }: Pick<Schedule, "id">): Promise<Schedule> {
  return (await person.take(getSchedule, { params: { id } })).schedule;
}

/** Wakes the hub at a time and waits for so many runs to be over. */
export async function runScheduleAt(
  person: Person,
  schedule: Schedule,
  { now, runs }: { now: number; runs: number },
): Promise<ScheduleRun[]> {
  await wakeHubAt(person, now);
  return until(`${runs} runs`, async () => {
    const all = await runsOf(person, schedule);
    return all.length >= runs && all.every(({ ended_at: ended }) => ended !== null) ? all : null;
  });
}

/** When a schedule is due next, in epoch milliseconds. */
export function nextRunAt(schedule: Schedule): number {
  return Date.parse(schedule.next_at ?? "");
}

/** The messages of a chat. */
export async function messagesIn(person: Person, id: string): Promise<Message[]> {
  return (await person.take(listMessages, { params: { id } })).messages;
}
