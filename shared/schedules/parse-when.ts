/** Reads when something should happen from the usual English phrases; what it does not know it answers with null, so a form asks. */
import { When } from "../entities/schedules/when.ts";
import { MONTHS, WEEKDAYS } from "./describe-when.ts";
import { parseClock, nextTime } from "./next-times.ts";
import { addDays, daysIn, instantOf, type WallTime, wallTimeAt, weekdayOf } from "./wall-clock.ts";

/** `page` is an address that 'this page' means, where one is known. */
export type Spoken = { now: number; zone: string; page?: string | null };

const MINUTE_MS = 60_000;
const MORNING = "09:00";
/** No phrase is longer, in characters; a longer text is none. */
const PHRASE_LENGTH = 300;

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
const PARTS: Record<string, string> = { morning: MORNING, afternoon: "14:00", evening: "18:00", night: "21:00" };
const DAY = "mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?";
const DAY_NAME = `${DAY}|tues`;
const MONTH_NAME =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
// Each name can be read in one way alone: 'tues' in two would double the work with every further one.
const DAYS = new RegExp(`^(?:${DAY})s?(?:(?:,| and|, and| &) ?(?:on )?(?:${DAY})s?)*$`);
const A_MONTH = "(?: ?,? ?(?:of )?(?:the|each|every|a) month|,? ?monthly)";

/** When a phrase says that something is to happen; null for one that is not known, or lies in the past. */
export function parseWhen(phrase: string, { now, zone, page = null }: Spoken): When | null {
  if (phrase.length > PHRASE_LENGTH) return null;
  const normalized = phrase.trim().replaceAll(/\s+/g, " ");
  const found = parsePage(normalized, page) ?? parsePhrase(normalized.toLowerCase().replace(/[.!]$/, ""), { now, zone });
  const when = found && When.safeParse(found);
  return when?.success && nextTime(when.data, { zone, anchor: now }, now) !== null ? when.data : null;
}

/** A draft that begins with when to send it, as in 'every weekday at 8: sum up the news'; null for any other. */
export function splitDraft(draft: string, spoken: Spoken): { phrase: string; text: string } | null {
  const match = /^([^\n:,]{3,80}(?::\d{2}[^\n:,]{0,60})?)[:,]\s+(\S[\s\S]*)$/.exec(draft.trim());
  const [, phrase = "", text = ""] = match ?? [];
  return phrase !== "" && parseWhen(phrase, spoken) ? { phrase: phrase.trim(), text: text.trim() } : null;
}

function parsePage(phrase: string, page: string | null): When | null {
  const match = /^(?:when|whenever|if|as soon as|each time|every time) (.+?) (?:has )?chang(?:es|ed)(?: ?:)?(?: (\S+))?$/i.exec(phrase);
  if (!match) return null;
  const [, what = "", after] = match;
  const named = after ?? what.replace(/^(?:(?:this|the) )?(?:web ?)?page(?: at)? ?/i, "");
  const url = named === "" || /^(?:this|it)$/i.test(named) ? page : addressOf(named);
  // Pages are read by https alone, so that is what is shown as well.
  return url === null ? null : { kind: "page", url: url.replace(/^http:/i, "https:") };
}

function addressOf(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return /^https?:\/\/[^\s/][^\s/.]*\.\S+$/i.test(address) ? address : null;
}

function parsePhrase(phrase: string, spoken: Spoken): When | null {
  const relative = parseRelative(phrase, spoken);
  if (relative) return relative;
  const hours = /^(?:hourly|(?:every|each) (?:(other|\w+) )?hours?)$/.exec(phrase);
  if (hours) {
    const every = hours[1] === undefined ? 1 : hours[1] === "other" ? 2 : numberOf(hours[1]);
    return every === null ? null : { kind: "hours", every };
  }
  const timed = takeTime(phrase);
  const known = timed && (parseRecurring(timed.rest, timed.time, spoken) ?? parseOnce(timed.rest, timed.time, spoken));
  if (known || timed?.time != null) return known || null;
  // 'tomorrow 9': a number at the end may be the hour.
  const bare = /^(.+) (\d{1,2})$/.exec(phrase);
  const time = bare && timeOf(bare[2] ?? "", undefined, undefined);
  const rest = bare?.[1] ?? "";
  return time ? (parseRecurring(rest, time, spoken) ?? parseOnce(rest, time, spoken)) : null;
}

/** 'in 20 minutes', 'in two days at 9'. */
function parseRelative(phrase: string, { now, zone }: Spoken): When | null {
  const match = /^in (half an|an?|\w+) (minute|min|hour|hr|h|day|week)s?(?: (.+))?$/.exec(phrase);
  if (!match) return null;
  const [, amount = "", unit = "", after] = match;
  const isHalf = amount === "half an";
  const count = isHalf ? 0.5 : numberOf(amount);
  if (count === null || count <= 0 || count > 10_000) return null;
  if (/^[mh]/.test(unit)) {
    const minutes = unit.startsWith("m") ? count : count * 60;
    return after === undefined ? once(now + Math.round(minutes) * MINUTE_MS) : null;
  }
  const timed = after === undefined ? null : takeTime(after);
  if (isHalf || (after !== undefined && (timed?.time == null || timed.rest !== ""))) return null;
  const today = wallTimeAt(now, zone);
  const at = timed?.time == null ? today : parseClock(timed.time);
  return once(instantOf({ ...addDays(today, count * (unit === "week" ? 7 : 1)), hour: at.hour, minute: at.minute }, zone));
}

function parseRecurring(phrase: string, given: string | null, { now, zone }: Spoken): When | null {
  const time = given ?? MORNING;
  const today = wallTimeAt(now, zone);
  const part = /^(?:every|each) (morning|afternoon|evening|night)$/.exec(phrase)?.[1];
  if (part !== undefined) return { kind: "daily", time: given === null ? (PARTS[part] ?? MORNING) : inPart(given, part) };
  if (/^(?:every ?day|each day|daily|every single day)$/.test(phrase)) return { kind: "daily", time };
  if (/^(?:(?:every|each|on) )?(?:weekdays?|work(?:ing )?days?)$|^mon(?:day)? ?(?:to|-|–|through) ?fri(?:day)?$/.test(phrase))
    return { kind: "weekdays", time };
  if (/^(?:(?:every|each) weekend|(?:on )?weekends)$/.test(phrase)) return { kind: "weekly", days: [6, 7], time };
  if (/^(?:weekly|every week|each week)$/.test(phrase)) return { kind: "weekly", days: [weekdayOf(today)], time };
  if (/^(?:monthly|every month|each month)$/.test(phrase)) return { kind: "monthly", day: today.day, time };
  const listed = /^(every|each|(?:weekly|every week|each week)(?: on)?|on)? ?(.+)$/.exec(phrase);
  const [, how, names = ""] = listed ?? [];
  // 'on Monday' is the next one, 'on Mondays' all of them.
  const isEach = (how !== undefined && how !== "on") || /s\b/.test(names.replaceAll(/\b(?:tues|thurs)\b/g, ""));
  if (DAYS.test(names) && isEach && (how !== undefined || names.endsWith("s"))) return { kind: "weekly", days: daysOf(names), time };
  const day = dayOfMonth(phrase);
  return day === null ? null : { kind: "monthly", day, time };
}

/** The day that 'every first of the month' or 'monthly on the 15th' names; the last one is 31. */
function dayOfMonth(phrase: string): number | null {
  const number = "(last|day \\d{1,2}|\\d{1,2}(?:st|nd|rd|th)?|[a-z]+)(?: day)?";
  const forms = [
    new RegExp(`^(?:every|each|on the|on|the) ?(?:the )?${number}${A_MONTH}$`),
    new RegExp(`^(?:monthly|every month|each month),? ?(?:on )?(?:the )?${number}$`),
    new RegExp(`^(?:every|each) (?:the )?(\\d{1,2}(?:st|nd|rd|th))$`),
  ];
  const dayText = forms.map((form) => form.exec(phrase)?.[1]).find((found) => found !== undefined);
  if (dayText === undefined) return null;
  if (dayText === "last") return 31;
  const day = ORDINALS.includes(dayText) ? ORDINALS.indexOf(dayText) + 1 : Number.parseInt(dayText.replace("day ", ""), 10);
  return day >= 1 && day <= 31 ? day : null;
}

function parseOnce(phrase: string, given: string | null, { now, zone }: Spoken): When | null {
  const today = wallTimeAt(now, zone);
  const at = (date: Pick<WallTime, "year" | "month" | "day">, time: string) => instantOf({ ...date, ...parseClock(time) }, zone);
  const soonest = (time: string) => (at(today, time) > now ? at(today, time) : at(addDays(today, 1), time));
  const named = /^(?:once )?(?:on )?(.*?)(?:(?:^| )(?:in the )?(morning|afternoon|evening|night))?$/.exec(
    phrase.replace(/^this (?=morning|afternoon|evening)/, "today "),
  );
  const [, date = "", part] = named ?? [];
  const time = part === undefined ? given : given === null ? (PARTS[part] ?? null) : inPart(given, part);
  if (date === "tonight") return once(at(today, given === null ? "20:00" : inPart(given, "evening")));
  if (date === "" || date === "at") return time === null ? null : once(soonest(time));
  if (date === "today") return time === null ? null : once(at(today, time));
  if (date === "tomorrow") return once(at(addDays(today, 1), time ?? MORNING));
  if (/^(?:the )?day after tomorrow$/.test(date)) return once(at(addDays(today, 2), time ?? MORNING));
  const weekday = new RegExp(`^(?:(next|this|coming) )?(${DAY_NAME})$`).exec(date);
  if (weekday) {
    const ahead = (indexOfName(weekday[2] ?? "", WEEKDAYS) + 1 - weekdayOf(today) + 7) % 7;
    const next = at(addDays(today, ahead), time ?? MORNING);
    return once(next > now && !(ahead === 0 && weekday[1] === "next") ? next : at(addDays(today, ahead + 7), time ?? MORNING));
  }
  if (date === "next week") return once(at(addDays(today, 8 - weekdayOf(today)), time ?? MORNING));
  const day = dateOf(date, today, (found) => at(found, time ?? MORNING) > now);
  return day && once(at(day, time ?? MORNING));
}

type Day = Pick<WallTime, "year" | "month" | "day">;

/** '2026-12-03', '3 December', 'December 3rd, 2026', 'the 3rd'; without a year or month the first one that lies ahead. */
function dateOf(text: string, today: Day, isAhead: (day: Day) => boolean): Day | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso) return valid({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) });
  const ofMonth = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)$/.exec(text);
  if (ofMonth) {
    const days = [0, 1, 2].flatMap((months) => {
      const first = new Date(Date.UTC(today.year, today.month - 1 + months, 1));
      return valid({ year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: Number(ofMonth[1]) }) ?? [];
    });
    return days.find(isAhead) ?? null;
  }
  const dayFirst = new RegExp(`^(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH_NAME}),?(?: (\\d{4}))?$`).exec(text);
  const monthFirst = new RegExp(`^(${MONTH_NAME}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?,?(?: (\\d{4}))?$`).exec(text);
  const day = Number(dayFirst?.[1] ?? monthFirst?.[2] ?? 0);
  const month = indexOfName(dayFirst?.[2] ?? monthFirst?.[1] ?? "-", MONTHS) + 1;
  const year = dayFirst?.[3] ?? monthFirst?.[3];
  if (day === 0 || month === 0) return null;
  if (year !== undefined) return valid({ year: Number(year), month, day });
  const days = [today.year, today.year + 1].flatMap((one) => valid({ year: one, month, day }) ?? []);
  return days.find(isAhead) ?? null;
}

function valid(day: Day): Day | null {
  return day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= daysIn(day.year, day.month) ? day : null;
}

/** Takes the time of day out of a phrase; null where what stands there is none. */
function takeTime(phrase: string): { rest: string; time: string | null } | null {
  const dayText =
    /(?:^|,? )(?:at |@ ?)(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|a\.m\.?|p\.m\.?)?(?: o'?clock)?(?= |,|$)/.exec(phrase) ??
    /(?:^|,? )(\d{1,2}):(\d{2}) ?(am|pm|a\.m\.?|p\.m\.?)?(?= |,|$)/.exec(phrase) ??
    /(?:^|,? )(\d{1,2})() ?(am|pm|a\.m\.?|p\.m\.?)(?= |,|$)/.exec(phrase);
  if (dayText) {
    const [text, hour = "", minute, half] = dayText;
    const time = timeOf(hour, minute, half);
    return time === null ? null : { rest: without(phrase, text), time };
  }
  const named = /(?:^|,? )(?:at )?(noon|midday|midnight)(?= |,|$)/.exec(phrase);
  if (named) return { rest: without(phrase, named[0]), time: named[1] === "midnight" ? "00:00" : "12:00" };
  return { rest: phrase, time: null };
}

function without(phrase: string, text: string): string {
  return phrase
    .replace(text, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[ ,]+|[ ,]+$/g, "");
}

function timeOf(hour: string, minute: string | undefined, half: string | undefined): string | null {
  const [hours, minutes] = [Number(hour), Number(minute || 0)];
  if (minutes > 59 || hours > 23 || (half !== undefined && (hours < 1 || hours > 12))) return null;
  const normalized = half === undefined ? hours : (hours % 12) + (half.startsWith("p") ? 12 : 0);
  return `${String(normalized).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}

/** 'at 8 in the evening' is 20:00. */
function inPart(time: string, part: string): string {
  const { hour, minute } = parseClock(time);
  return part === "morning" || hour >= 12 ? time : (timeOf(String(hour || 12), String(minute), "pm") ?? time);
}

function numberOf(text: string): number | null {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  if (text === "a" || text === "an") return 1;
  const index = NUMBERS.indexOf(text);
  return index === -1 ? null : index + 1;
}

function daysOf(names: string): number[] {
  const days = (names.match(new RegExp(DAY_NAME, "g")) ?? []).map((name) => indexOfName(name, WEEKDAYS) + 1);
  return [...new Set(days)].toSorted((a, b) => a - b);
}

function indexOfName(name: string, names: readonly string[]): number {
  return names.findIndex((fullName) => fullName.toLowerCase().startsWith(name.slice(0, 3)));
}

function once(instant: number): When {
  return { kind: "once", at: new Date(instant).toISOString() };
}
