import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";
import type { SavedText } from "./saving.ts";

/** Whose draft it is, and of which artifact. */
export type DraftOwner = { userId: string; id: string };

/** A draft is its writer's alone: another person in the same browser neither sees nor saves it. */
function store({ userId, id }: DraftOwner) {
  return stored<SavedText | null>(
    `artifact-draft:${userId}:${id}`,
    z.nullable(z.looseObject({ version: z.number(), content: z.string() })),
    null,
  );
}

/** What was typed into an artifact and never reached the server, with the version it began from; null for nothing. */
export function readArtifactDraft(owner: DraftOwner): SavedText | null {
  return store(owner).read();
}

/** Keeps what is not saved yet, or forgets it. */
export function keepArtifactDraft(owner: DraftOwner, draft: SavedText | null): void {
  if (draft === null) store(owner).remove();
  else store(owner).write(draft);
}
