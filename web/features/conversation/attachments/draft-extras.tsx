import { useDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { readDraft, useDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { attachFiles, removeFile, retryFile } from "./attach-files.ts";
import { DraftChip } from "./draft-chip.tsx";
import { ClipboardPaste, X, EyeOff } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { openModelSelector } from "#web/features/conversation/models/selector-store.ts";

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
        <LongPasteOffer key={paste} draftKey={draftKey} paste={paste} onAccept={() => attachPaste(paste)} onDismiss={onPasteDone} />
      )}
      {blindModel !== null && <VisionNotice modelName={blindModel} />}
      {files.length > 0 && <DraftChips draftKey={draftKey} />}
    </>
  );
}

type LongPasteProps = { draftKey: string; paste: string; onAccept: () => void; onDismiss: () => void };

/** The offer for as long as the pasted text stands in the message: written over, there is nothing to make a file of. */
function LongPasteOffer({ draftKey, paste, onAccept, onDismiss }: LongPasteProps) {
  const [text] = useDraft(draftKey);
  return text.includes(paste) && <PasteOffer characters={paste.length} onAccept={onAccept} onDismiss={onDismiss} />;
}

function nameOfPaste(taken: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? "Pasted text.txt" : `Pasted text ${count}.txt`;
    if (!taken.includes(name)) return name;
  }
}

/** The files at a composer, above its text. */
function DraftChips({ draftKey }: { draftKey: string }) {
  const { files } = useDraftFiles(draftKey);
  return (
    <ul aria-label="Attached files" className="-mx-2 mb-10 flex max-h-[30dvh] flex-wrap gap-6 overflow-y-auto p-2">
      {files.map((file) => (
        <DraftChip key={file.id} file={file} onRetry={() => retryFile(draftKey, file.id)} onRemove={() => removeFile(draftKey, file.id)} />
      ))}
    </ul>
  );
}

type PasteOfferProps = { characters: number; onAccept: () => void; onDismiss: () => void };

/** Offers to turn a long pasted text into a file, which leaves the message readable. */
function PasteOffer({ characters, onAccept, onDismiss }: PasteOfferProps) {
  return (
    <div role="status" className="mb-10 flex items-center gap-10 rounded-12 bg-s3 py-6 pr-6 pl-12 text-13 text-ink">
      <ClipboardPaste aria-hidden className="size-16 shrink-0 text-ink2" />
      <p className="min-w-0 flex-1 py-4 tabular-nums">{`You pasted ${characters.toLocaleString("en")} characters.`}</p>
      <Button size="sm" variant="outline" onClick={onAccept}>
        Attach as text
      </Button>
      <IconButton label="Keep in the message" icon={X} size="sm" onClick={onDismiss} />
    </div>
  );
}

/** Says before sending that the chosen model cannot take what is attached. */
function VisionNotice({ modelName }: { modelName: string }) {
  return (
    <div role="alert" className="mb-10 flex items-center gap-10 rounded-12 bg-signal-soft py-6 pr-6 pl-12 text-13 text-ink">
      <EyeOff aria-hidden className="size-16 shrink-0 text-signal-ink" />
      <p className="min-w-0 flex-1 py-4">{modelName} cannot see pictures. Pick a model with vision, or remove them.</p>
      <Button size="sm" onClick={openModelSelector}>
        Switch model
      </Button>
    </div>
  );
}
