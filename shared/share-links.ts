/** What can be shared by a link. */
export type SharedKind = "persona";

/** Each kind's parameter of the address that opens it, on any page. */
export const SHARE_PARAMETERS = {
  persona: "share_system_prompt",
} as const satisfies Record<SharedKind, string>;

/** In the order in which several of them are looked at. */
export const SHARED_KINDS = ["persona"] as const satisfies readonly SharedKind[];

/** Something shared that waits to be looked at. */
export type ShareArrival = { kind: SharedKind; token: string };

/** What an address brings along to be looked at, in a fixed order. */
export function readShareArrivals(search: string): ShareArrival[] {
  const given = new URLSearchParams(search);
  return SHARED_KINDS.flatMap((kind) => {
    const token = given.get(SHARE_PARAMETERS[kind]);
    return token ? [{ kind, token }] : [];
  });
}

/** The query that brings these along, without its question mark. */
export function shareQuery(arrivals: readonly ShareArrival[]): string {
  return new URLSearchParams(arrivals.map(({ kind, token }) => [SHARE_PARAMETERS[kind], token])).toString();
}
