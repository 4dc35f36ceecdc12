/** A zone to pick; an empty `id` stands for whatever the browser says. */
export type ZoneChoice = { id: string; name: string; offset: string };

/** A zone's name for people: `Buenos Aires, Argentina, America`. */
export function zoneName(id: string): string {
  return id.replaceAll("_", " ").split("/").toReversed().join(", ");
}

/** How far a zone is from UTC at `now`: `GMT+2`, `GMT+5:30`; nothing for one that this browser does not know. */
export function zoneOffset(id: string, now: Date): string {
  try {
    const parts = new Intl.DateTimeFormat("en", { timeZone: id, timeZoneName: "shortOffset" }).formatToParts(now);
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  } catch {
    return "";
  }
}

/** The browser's own zone first, then all that it knows and the one that is chosen, by their names. */
export function zoneChoices(
  known: readonly string[],
  { browser, chosen, now }: { browser: string; chosen: string | null; now: Date },
): ZoneChoice[] {
  const ids = new Set([...known, browser, "UTC", ...(chosen === null ? [] : [chosen])]);
  const named = [...ids].map((id) => ({ id, name: zoneName(id), offset: zoneOffset(id, now) }));
  return [
    { id: "", name: `This device’s: ${zoneName(browser)}`, offset: zoneOffset(browser, now) },
    ...named.toSorted((a, b) => a.name.localeCompare(b.name, "en")),
  ];
}

/** The zone that this browser is set to. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
