export type SharedKind = "persona" | "prompt" | "knowledge";

/** Each kind's parameter of the address that opens it, on any page. */
export const SHARE_PARAMETERS = {
  persona: "share_system_prompt",
  prompt: "share_template_message",
  knowledge: "share_context",
} as const satisfies Record<SharedKind, string>;

/** In the order in which several of them are looked at. */
const SHARED_KINDS = ["persona", "prompt", "knowledge"] as const satisfies readonly SharedKind[];

/** Something shared that waits to be looked at. */
export type ShareArrival = { kind: SharedKind; token: string };

/** What a query brings along to be looked at, in a fixed order. */
export function readShareArrivals(query: { get: (name: string) => string | null }): ShareArrival[] {
  return SHARED_KINDS.flatMap((kind) => {
    const token = query.get(SHARE_PARAMETERS[kind]);
    return token ? [{ kind, token }] : [];
  });
}

/** The parameters of a query that bring these along. */
export function shareParameters(arrivals: readonly ShareArrival[]): [name: string, token: string][] {
  return arrivals.map(({ kind, token }) => [SHARE_PARAMETERS[kind], token]);
}
