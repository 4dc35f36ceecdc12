/** Where the catalogue stands: `stale` is an older list shown while the aggregator is down. */
export type ListStatus = "loading" | "ready" | "stale" | "failed";

type Query = { isFetching: boolean; isError: boolean; data: { stale: boolean } | undefined };

/** The state of the query behind a list. */
export function listStatus({ isFetching, isError, data }: Query): ListStatus {
  if (!data) return isFetching || !isError ? "loading" : "failed";
  return data.stale ? "stale" : "ready";
}
