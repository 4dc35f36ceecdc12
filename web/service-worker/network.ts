/** Asks the network; past the HTTP cache where `isFresh`. Null where it cannot be reached. */
export async function fromNetwork(request: RequestInfo, { isFresh = false }: { isFresh?: boolean } = {}): Promise<Response | null> {
  try {
    return await fetch(request, isFresh ? { cache: "no-cache" } : {});
  } catch {
    return null;
  }
}

/** After so many milliseconds each, a file that did not come is asked for again. */
const PAUSES_MS = [1_000, 3_000, 10_000];

/**
 * Asks the network for a file, and again where it fails: browsers keep a module whose file did not come as failed
 * for as long as its page is open, so that asking once more is of no use there.
 */
export async function fileFromNetwork(request: RequestInfo, pauses: readonly number[] = PAUSES_MS): Promise<Response | null> {
  let answer = await fromNetwork(request);
  for (const pause of answer ? [] : pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    answer = await fromNetwork(request);
    if (answer) break;
  }
  return answer;
}
