/** What the tools ask of their person's hub; the object is conversation/user-hub. */
import type { ArtifactHit } from "#shared/contracts/search.ts";
import type { PrivateSource } from "../private-source.ts";

/** The artifacts that are sought. */
type Sought = { q: string; kind: "artifact"; limit: number; sources: readonly PrivateSource[] };

/** A user's hub, as far as it finds their artifacts. */
export interface ArtifactHub extends Rpc.DurableObjectBranded {
  /** What of the user's artifacts is found; `isIncomplete` while not all of them are read. */
  search(input: Sought): Promise<{ artifacts?: ArtifactHit[]; isIncomplete: boolean }>;
}
