/** Asks the network; past the HTTP cache where `isFresh`. Null where it cannot be reached. */
export async function fromNetwork(request: RequestInfo, { isFresh = false }: { isFresh?: boolean } = {}): Promise<Response | null> {
  try {
    return await fetch(request, isFresh ? { cache: "no-cache" } : {});
  } catch {
    return null;
  }
}
