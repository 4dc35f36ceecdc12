import { configOf, type Env } from "#worker/platform/env.ts";

/** True for a host of this deployment's zone, or of the platform's shared one: a Worker that asks there gets past what stands before them. */
export function isOwnZone(env: Env, hostname: string, ownHost?: string): boolean {
  const { origin } = configOf(env);
  const own = [...(ownHost === undefined ? [] : [ownHost]), ...(origin === undefined ? [] : [new URL(origin).hostname]), "workers.dev"];
  return own.map(zoneOf).some((zone) => hostname === zone || hostname.endsWith(`.${zone}`));
}

/** The zone that a host is taken to be in: two labels, or three where it ends as `co.uk` does. */
function zoneOf(host: string): string {
  const labels = host.split(".");
  const isSplit = /^[a-z]{2,3}\.[a-z]{2}$/.test(labels.slice(-2).join("."));
  return labels.slice(isSplit ? -3 : -2).join(".");
}
