import { Download, Ellipsis, Upload } from "lucide-react";
import { useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";
import { type ImportOutcome, useLibrary, type ImportAnswer } from "./use-library.ts";

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
      <p>{importWords(outcome.answer)}</p>
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
export function importWords({ personas, prompts }: Omit<ImportAnswer, "left_out">): string {
  const added = [counted(prompts.added, "prompt"), counted(personas.added, "persona")].filter((text) => text !== null);
  const present = prompts.present + personas.present;
  const here = present === 0 ? "" : ` ${present} of the file ${present === 1 ? "was" : "were"} here already, word for word.`;
  return `${added.length === 0 ? "Nothing new." : `${added.join(" and ")} came in.`}${here}`;
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
