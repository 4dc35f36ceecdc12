/** A network that does not answer within so many milliseconds is taken for none where the document is kept. */
const PATIENCE_MS = 3_000;
/** So many milliseconds after a page asked for the network's document, no kept one takes its place for being quicker. */
const AWAITED_MS = 60_000;

let awaitedUntil = 0;

/** The next document is the network's, however long that takes: a page knows that there is a newer one. */
export function awaitNetwork(): void {
  awaitedUntil = Date.now() + AWAITED_MS;
}

/** The network's document, and the kept one where there is none in time. */
export async function documentOf<Answer>(network: Promise<Answer | null>, kept: Answer | undefined): Promise<Answer | null> {
  if (kept === undefined) return network;
  const isAwaited = Date.now() < awaitedUntil;
  awaitedUntil = 0;
  return (await (isAwaited ? network : Promise.race([network, later(PATIENCE_MS)]))) ?? kept;
}

function later(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}
