import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";
import type { SavedText } from "./saving.ts";

function store(id: string) {
  return stored<SavedText | null>(
    `artifact-draft:${id}`,
    shape.nullable(shape.record<SavedText>({ version: shape.number, content: shape.text })),
    null,
  );
}

/** What was typed into an artifact and never reached the server, with the version it began from; null for nothing. */
export function readArtifactDraft(id: string): SavedText | null {
  return store(id).read();
}

/** Keeps what is not saved yet, or forgets it. */
export function keepArtifactDraft(id: string, draft: SavedText | null): void {
  if (draft === null) store(id).remove();
  else store(id).write(draft);
}
