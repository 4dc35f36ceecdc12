import { createRequire } from "node:module";
import type { BrowserName, CompatData, Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data";
import { OLDEST } from "./oldest.ts";

/** A feature by its path in MDN's data, and of the oldest browsers those that lack it, each with the version that brought it, or null. */
export type Lacking = { feature: string; lacks: ReadonlyMap<string, string | null> };

// Required, as 20 MB of JSON are parsed far faster than imported.
const data: CompatData = createRequire(import.meta.url)("@mdn/browser-compat-data");

const BROWSERS: { name: BrowserName; label: string; oldest: string }[] = [
  { name: "chrome", label: "Chrome", oldest: OLDEST.chrome },
  { name: "chrome_android", label: "Chrome on Android", oldest: OLDEST.chrome },
  { name: "edge", label: "Edge", oldest: OLDEST.edge },
  { name: "firefox", label: "Firefox", oldest: OLDEST.firefox },
  { name: "firefox_android", label: "Firefox on Android", oldest: OLDEST.firefox },
  { name: "safari", label: "Safari", oldest: OLDEST.safari },
  { name: "safari_ios", label: "iOS", oldest: OLDEST.ios },
];

/** Whatever MDN's data has at a path; undefined where that has no such place. */
export function placeAt(...path: string[]): Identifier | undefined {
  let place: Identifier | undefined = { api: data.api, css: data.css, html: data.html, javascript: data.javascript };
  for (const name of path) place = place !== undefined && Object.hasOwn(place, name) ? place[name] : undefined;
  return place;
}

/** What the oldest browsers lack of a feature; null where all have it, or the data says nothing of it. */
export function lackingAt(...path: string[]): Lacking | null {
  const support = placeAt(...path)?.__compat?.support;
  if (!support) return null;
  const lacks = new Map<string, string | null>();
  for (const { name, label, oldest } of BROWSERS) {
    const statements = [support[name] ?? []].flat();
    if (statements.length === 0 || statements.some((statement) => has(statement, oldest))) continue;
    lacks.set(`${label} ${oldest}`, statements.map(sinceOf).find((version) => version !== null) ?? null);
  }
  return lacks.size === 0 ? null : { feature: path.join("."), lacks };
}

function has(statement: SimpleSupportStatement, oldest: string): boolean {
  const since = sinceOf(statement);
  const { version_removed: until } = statement;
  return since !== null && compare(since, oldest) <= 0 && (until === undefined || compare(until, oldest) > 0);
}

/** The version since which a feature is there under its own name, for everybody. */
function sinceOf({ version_added: since, flags, prefix, alternative_name: other }: SimpleSupportStatement): string | null {
  return since === false || since === "preview" || flags || prefix !== undefined || other !== undefined ? null : since.replace("≤", "");
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  return (left?.[0] ?? 0) - (right?.[0] ?? 0) || (left?.[1] ?? 0) - (right?.[1] ?? 0);
}

/** The names of what stands at a path, but for what describes it. */
export function namesAt(...path: string[]): string[] {
  return Object.keys(placeAt(...path) ?? {}).filter((name) => name !== "__compat");
}
