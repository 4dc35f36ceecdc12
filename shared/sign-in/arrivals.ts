import { readShareArrivals, SHARE_PARAMETERS, type ShareArrival, shareParameters } from "#shared/sharing/share-links.ts";

/** The parameter of the address that opens an invitation to a team, on any page. */
export const TEAM_INVITE_PARAMETER = "team_invite";

/** The parameter of the address that brings the code of an invite, on any page. */
export const INVITE_PARAMETER = "invite";

/** An invitation to a team that waits to be looked at. */
export type TeamArrival = { kind: "team"; token: string };

/** An invite that waits to be looked at, by its code as it was written. */
export type InviteArrival = { kind: "invite"; token: string };

/** What an address brings along to be looked at in a dialog. */
export type Arrival = InviteArrival | TeamArrival | ShareArrival;

/** What leaves the address once it was read. */
export const ARRIVAL_PARAMETERS: readonly string[] = [INVITE_PARAMETER, TEAM_INVITE_PARAMETER, ...Object.values(SHARE_PARAMETERS)];

const INVITATIONS = [
  ["invite", INVITE_PARAMETER],
  ["team", TEAM_INVITE_PARAMETER],
] as const;

/** What a query brings along: an invite, an invitation, then what was shared, in a fixed order. */
export function readArrivals(query: { get: (name: string) => string | null }): Arrival[] {
  const invitations = INVITATIONS.flatMap(([kind, name]) => {
    const token = query.get(name);
    return token ? [{ kind, token }] : [];
  });
  return [...invitations, ...readShareArrivals(query)];
}

/** The parameters of a query that bring these along. */
export function arrivalQueryParameters(arrivals: readonly Arrival[]): [name: string, token: string][] {
  return arrivals.flatMap((arrival): [string, string][] => {
    if (arrival.kind === "invite") return [[INVITE_PARAMETER, arrival.token]];
    return arrival.kind === "team" ? [[TEAM_INVITE_PARAMETER, arrival.token]] : shareParameters([arrival]);
  });
}
