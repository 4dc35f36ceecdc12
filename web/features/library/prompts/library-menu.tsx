import { Download, Ellipsis, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";
import { useMutation } from "@tanstack/react-query";
import { exportLibrary, importLibrary } from "#shared/contracts/library/library.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { BYTES_PER_CHARACTER, LIBRARY_LENGTH } from "#shared/limits.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast/toast.tsx";

type ImportAnswer = ResponseOf<typeof importLibrary>;

/** What became of a file that was picked: how much came in, or why nothing did. */
type ImportOutcome = { kind: "imported"; answer: ImportAnswer } | { kind: "refused"; reason: string };

const IMPORT_BYTES = BYTES_PER_CHARACTER * LIBRARY_LENGTH;
const TOO_LARGE = `This file is too large: at most ${IMPORT_BYTES / 1_000_000} MB can be imported.`;
const NO_JSON = "This is not a file of prompts and personas: it is no JSON.";

/** Exports the own prompts and personas as a file, or several where they are long, and imports such files. */
function useLibrary() {
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const exporting = useMutation({
    mutationFn: async () => {
      const files: Blob[] = [];
      for (let after: number | null = 0; after !== null;) {
        const { library, next }: ResponseOf<typeof exportLibrary> = await call(exportLibrary, { query: { after } });
        files.push(new Blob([JSON.stringify(library, null, 2)], { type: "application/json" }));
        after = next;
      }
      for (const [index, file] of files.entries()) save(file, files.length === 1 ? "" : `-${index + 1}-of-${files.length}`);
    },
    onError: (error) => toast({ tone: "danger", title: "The prompts were not exported", description: error.message }),
  });
  const importing = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > IMPORT_BYTES) throw new Error(TOO_LARGE);
      // The file goes out as it is: its schema is where it arrives.
      return upload(
        importLibrary,
        {},
        { body: file, type: "application/json", signal: new AbortController().signal, onProgress: () => {} },
      );
    },
    onSuccess: (answer) => setOutcome({ kind: "imported", answer }),
    onError: (error) => {
      const isJson = !(error instanceof ApiError && error.code === "INVALID_JSON");
      setOutcome({ kind: "refused", reason: isJson ? error.message : NO_JSON });
    },
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: keys.prompts }), queryClient.invalidateQueries({ queryKey: keys.personas })]),
  });
  return {
    isBusy: exporting.isPending || importing.isPending,
    outcome,
    onSeen: () => setOutcome(null),
    exportFile: () => exporting.mutate(),
    importFile: (file: File) => importing.mutate(file),
  };
}

function save(file: Blob, mark: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `prompts-and-personas-${new Date().toISOString().slice(0, 10)}${mark}.json`;
  link.click();
  // The download has its own hold on it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Takes the prompts and personas along as a file, or takes in such a file, and says what came of it. */
export function LibraryMenu() {
  const { isBusy, outcome, onSeen, exportFile, importFile } = useLibrary();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Menu side="top" trigger={<IconButton label="Export and import" icon={Ellipsis} aria-busy={isBusy || undefined} disabled={isBusy} />}>
        <MenuItem icon={Download} onClick={exportFile}>
          Export prompts and personas
        </MenuItem>
        <MenuItem icon={Upload} onClick={() => input.current?.click()}>
          Import from a file
        </MenuItem>
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) importFile(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
      <Dialog
        open={outcome !== null}
        onOpenChange={onSeen}
        title={outcome?.kind === "refused" ? "Failed to import" : "Import"}
        footer={
          <Button variant="primary" onClick={onSeen}>
            Done
          </Button>
        }
      >
        {outcome && <Outcome outcome={outcome} />}
      </Dialog>
    </>
  );
}

function Outcome({ outcome }: { outcome: ImportOutcome }) {
  if (outcome.kind === "refused") return <p className="text-14 text-ink2">{outcome.reason}</p>;
  const { left_out: leftOut } = outcome.answer;
  return (
    <div className="space-y-12 text-14 text-ink2">
      <p>{importSummary(outcome.answer)}</p>
      {leftOut.length > 0 && (
        <ul className="list-disc space-y-4 pl-20">
          {[...new Set(leftOut)].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What came in with a file, and what was there already. */
export function importSummary({ personas, prompts }: Omit<ImportAnswer, "left_out">): string {
  const added = [counted(prompts.added, "prompt"), counted(personas.added, "persona")].filter((text) => text !== null);
  const present = prompts.present + personas.present;
  const here = present === 0 ? "" : ` ${present} of the file ${present === 1 ? "was" : "were"} here already, word for word.`;
  return `${added.length === 0 ? "Nothing new." : `${added.join(" and ")} came in.`}${here}`;
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
