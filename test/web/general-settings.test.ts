import { describe, expect, it } from "vitest";
import { dollarText, toDollars } from "#web/lib/dollars.ts";
import { namedWithTeam } from "#web/features/people/teams/use-content-rights.ts";
import { AS_IN_NEW_CHATS, personaOptions } from "#web/features/library/personas/persona-options.ts";
import { zoneChoices, zoneName, zoneOffset } from "#web/features/people/time-zone/time-zones.ts";

it.each<[string, number | null]>([
  ["1", 1],
  ["0", 0],
  [" $ 2.50 ", 2.5],
  ["0,75", 0.75],
  ["0.000001", 0.000001],
  ["", null],
  ["-1", null],
  ["1e3", null],
  ["two", null],
  ["1.2.3", null],
  ["99999999", null],
])("a daily budget typed as %j is %j", (text, dollars) => {
  expect(toDollars(text)).toBe(dollars);
});

it.each([
  [1, "1.00"],
  [2.5, "2.50"],
  [0.125, "0.125"],
  [1000, "1000.00"],
])("a daily budget of %d reads %s", (dollars, text) => {
  expect(dollarText(dollars)).toBe(text);
  expect(toDollars(text)).toBe(dollars);
});

describe("the persona of triggered messages", () => {
  const personas = [{ id: "a", name: "Ada", team_id: "crew" }];

  it.each([
    [null, AS_IN_NEW_CHATS],
    ["", ""],
    ["a", "a"],
    ["gone", AS_IN_NEW_CHATS],
  ])("the persona of triggered messages: %j shows as %j", (chosen, value) => {
    const choices = personaOptions(personas, { chosen, labelOf: (persona) => namedWithTeam(persona, [{ id: "crew", name: "Crew" }]) });
    expect(choices.value).toBe(value);
    expect(choices.options.map(({ label }) => label)).toEqual(["As in new chats", "No persona", "Ada · Crew"]);
  });
});

describe("time zones", () => {
  const now = new Date("2026-07-01T12:00:00Z");

  it.each([
    ["America/Argentina/Buenos_Aires", "Buenos Aires, Argentina, America"],
    ["Europe/Berlin", "Berlin, Europe"],
    ["UTC", "UTC"],
  ])("time zones: %s is called %s", (id, name) => {
    expect(zoneName(id)).toBe(name);
  });

  it("time zones say how far they are from UTC, on this day", () => {
    expect(zoneOffset("Europe/Berlin", now)).toBe("GMT+2");
    expect(zoneOffset("Europe/Berlin", new Date("2026-01-01T12:00:00Z"))).toBe("GMT+1");
    expect(zoneOffset("Asia/Kolkata", now)).toBe("GMT+5:30");
    expect(zoneOffset("Mars/Olympus", now)).toBe("");
  });

  it("time zones are offered with the browser's first, each once, the chosen one even where the browser does not know it", () => {
    const choices = zoneChoices(["Europe/Berlin", "Asia/Tokyo"], { browser: "Europe/Berlin", chosen: "America/Nuuk", now });
    expect(choices.map(({ id }) => id)).toEqual(["", "Europe/Berlin", "America/Nuuk", "Asia/Tokyo", "UTC"]);
    expect(choices[0]).toEqual({ id: "", name: "This device’s: Berlin, Europe", offset: "GMT+2" });
  });
});
