import { useDraftFiles } from "#web/features/composer/draft-files.ts";
import { removeFile, retryFile } from "./attach-files.ts";
import { DraftChip } from "./draft-chip.tsx";

/** The files at a composer, above its text. */
export function DraftChips({ draftKey }: { draftKey: string }) {
  const { files } = useDraftFiles(draftKey);
  return (
    <ul aria-label="Attached files" className="-mx-2 mb-10 flex max-h-[30dvh] flex-wrap gap-6 overflow-y-auto p-2">
      {files.map((file) => (
        <DraftChip key={file.id} file={file} onRetry={() => retryFile(draftKey, file.id)} onRemove={() => removeFile(draftKey, file.id)} />
      ))}
    </ul>
  );
}
