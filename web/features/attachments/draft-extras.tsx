import { useDraftFiles } from "#web/features/composer/draft-files.ts";
import { readDraft, useDraft, writeDraft } from "#web/features/composer/drafts.ts";
import { attachFiles } from "./attach-files.ts";
import { DraftChips } from "./draft-chips.tsx";
import { PasteOffer } from "./paste-offer.tsx";
import { VisionNotice } from "./vision-notice.tsx";

export type DraftExtrasProps = {
  draftKey: string;
  /** The chosen model's name where it cannot see the pictures that are attached. */
  blindModel: string | null;
  /** A long text that was pasted just now. */
  paste: string | null;
  onPasteDone: () => void;
};

/** What stands above a composer's text: offers and warnings, then its files. */
export function DraftExtras({ draftKey, blindModel, paste, onPasteDone }: DraftExtrasProps) {
  const { files } = useDraftFiles(draftKey);
  const attachPaste = (text: string) => {
    const draft = readDraft(draftKey);
    const at = draft.lastIndexOf(text);
    if (at !== -1) writeDraft(draftKey, draft.slice(0, at) + draft.slice(at + text.length));
    attachFiles(draftKey, [new File([text], nameOfPaste(files.map(({ name }) => name)), { type: "text/plain" })]);
    onPasteDone();
  };
  return (
    <>
      {paste !== null && (
        <HeldPaste key={paste} draftKey={draftKey} paste={paste} onAccept={() => attachPaste(paste)} onDismiss={onPasteDone} />
      )}
      {blindModel !== null && <VisionNotice modelName={blindModel} />}
      {files.length > 0 && <DraftChips draftKey={draftKey} />}
    </>
  );
}

type HeldPasteProps = { draftKey: string; paste: string; onAccept: () => void; onDismiss: () => void };

/** The offer for as long as the pasted text stands in the message: written over, there is nothing to make a file of. */
function HeldPaste({ draftKey, paste, onAccept, onDismiss }: HeldPasteProps) {
  const [text] = useDraft(draftKey);
  return text.includes(paste) && <PasteOffer characters={paste.length} onAccept={onAccept} onDismiss={onDismiss} />;
}

function nameOfPaste(taken: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? "Pasted text.txt" : `Pasted text ${count}.txt`;
    if (!taken.includes(name)) return name;
  }
}
