import type { REGIONS } from "#worker/platform/db/schema/users.ts";

export type Region = (typeof REGIONS)[number];

/** Where the network says that a request came from. */
type Place = { continent?: unknown; country?: unknown; longitude?: unknown };

/** West of this, North America's west coast is nearer; east of that, eastern Europe. In degrees. */
const AMERICA_WEST = -100;
const EUROPE_EAST = 16;

const BY_CONTINENT: Record<string, Region> = { AF: "afr", AS: "apac", EU: "weur", NA: "enam", OC: "oc", SA: "sam" };

/** Asia to the network, nearer to where the hint of the Middle East leads. */
const MIDDLE_EAST = new Set(["AE", "BH", "IL", "IQ", "IR", "JO", "KW", "LB", "OM", "PS", "QA", "SA", "SY", "TR", "YE"]);

/** Where an object of whoever asks is best made; null where the network does not say. */
export function regionOf(cf: object): Region | null {
  const { continent, country, longitude }: Place = { ...cf };
  const degrees = Number(longitude ?? Number.NaN);
  if (continent === "NA" && degrees < AMERICA_WEST) return "wnam";
  if (continent === "EU" && degrees > EUROPE_EAST) return "eeur";
  if (continent === "AS" && MIDDLE_EAST.has(String(country))) return "me";
  return BY_CONTINENT[String(continent)] ?? null;
}
