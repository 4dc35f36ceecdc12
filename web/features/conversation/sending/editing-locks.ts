import { clearDraft, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { tabName } from "#web/lib/storage.ts";
import { type PendingSend, outbox } from "./outbox.ts";

/** How long a tab's word holds, in milliseconds: a hidden one may renew it but once a minute, a closed one never. */
const EDIT_LOCK_MS = 150_000;
const RENEW_MS = 30_000;

const TAB = tabName();
let timer: ReturnType<typeof setInterval> | undefined;

/** Where the text of a waiting message is kept while it is being rewritten. */
export function rewritingKey(id: string): string {
  return `waiting:${id}`;
}

/** Begins to rewrite a message that waits: until that is over, neither it nor what follows it is sent by any tab. */
export function lockForEditing({ id, content }: PendingSend): void {
  if (readDraft(rewritingKey(id)) === "") writeDraft(rewritingKey(id), content);
  outbox.update(id, { indexed: { by: TAB, until: Date.now() + EDIT_LOCK_MS } });
  timer ??= setInterval(renew, RENEW_MS);
}

/** Ends the rewriting of a message, with its new text where there is one. */
export function unlockAfterEditing(id: string, content?: string): void {
  clearDraft(rewritingKey(id));
  outbox.update(id, { indexed: undefined, ...(content !== undefined && { content }) });
}

/** True while some tab rewrites the message. */
export function isBeingEdited({ indexed }: PendingSend): boolean {
  return indexed !== undefined && indexed.until > Date.now();
}

/** True while it is this tab that rewrites it. */
export function isBeingEditedHere({ indexed }: PendingSend): boolean {
  return indexed?.by === TAB;
}

/** A message's text as the person last left it, also where that was not saved. */
export function latestText({ id, content }: PendingSend): string {
  return readDraft(rewritingKey(id)) || content;
}

function renew(): void {
  const here = outbox.all().filter(isBeingEditedHere);
  for (const { id } of here) outbox.update(id, { indexed: { by: TAB, until: Date.now() + EDIT_LOCK_MS } });
  if (here.length > 0) return;
  clearInterval(timer);
  timer = undefined;
}

// What this tab was rewriting when it was loaded again.
if (outbox.all().some(isBeingEditedHere)) {
  renew();
  timer = setInterval(renew, RENEW_MS);
}
