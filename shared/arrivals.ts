import { readShareArrivals, SHARE_PARAMETERS, type ShareArrival, shareParameters } from "./share-links.ts";

/** The parameter of the address that opens an invitation to a team, on any page. */
export const TEAM_INVITE_PARAMETER = "team_invite";

/** An invitation that waits to be looked at. */
export type TeamArrival = { kind: "team"; token: string };

/** What an address brings along to be looked at in a dialog. */
export type Arrival = TeamArrival | ShareArrival;

/** What leaves the address once it was read. */
export const ARRIVAL_PARAMETERS: readonly string[] = [TEAM_INVITE_PARAMETER, ...Object.values(SHARE_PARAMETERS)];

/** What a query brings along: an invitation, then what was shared, in a fixed order. */
export function readArrivals(query: { get: (name: string) => string | null }): Arrival[] {
  const token = query.get(TEAM_INVITE_PARAMETER);
  return [...(token ? [{ kind: "team" as const, token }] : []), ...readShareArrivals(query)];
}

/** The parameters of a query that bring these along. */
export function arrivalParameters(arrivals: readonly Arrival[]): [name: string, token: string][] {
  return arrivals.flatMap((arrival) =>
    arrival.kind === "team" ? [[TEAM_INVITE_PARAMETER, arrival.token] satisfies [string, string]] : shareParameters([arrival]),
  );
}
