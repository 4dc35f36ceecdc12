import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { MEMORY_IMPORT_PROBLEMS, MEMORY_IMPORT_PROMPT, splitMemories } from "#shared/memory-import.ts";
import { MEMORY_IMPORT_ENTRIES, MEMORY_IMPORT_LENGTH } from "#shared/limits.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { counted } from "#web/lib/format.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { Button } from "#web/ui/button.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { importDrafts } from "./import-draft.ts";
import { useChangeMemories } from "./use-memories.ts";

/** Brings over what another assistant knows, in two steps: its prompt is copied, its answer pasted. */
export default function ImportPane() {
  const settings = useSettings();
  const { state, copy } = useCopy();
  const { importFacts } = useChangeMemories();
  const key = useSession().user?.id ?? "";
  const text = useKeyed(importDrafts, key);
  const [problem, setProblem] = useState<string | null>(null);
  const { entries, blank } = splitMemories(text);
  const start = () => {
    if (entries.length === 0) return setProblem(MEMORY_IMPORT_PROBLEMS.noEntries);
    if (text.length > MEMORY_IMPORT_LENGTH) return setProblem(MEMORY_IMPORT_PROBLEMS.long);
    if (entries.length > MEMORY_IMPORT_ENTRIES) return setProblem(MEMORY_IMPORT_PROBLEMS.many);
    importFacts.mutate(text, {
      onSuccess: ({ count }) => {
        toast({ title: "Memory import started", description: `${count} ${count === 1 ? "memory" : "memories"}`, tone: "success" });
        settings.back("memory");
      },
    });
  };
  const tally =
    entries.length === 0
      ? undefined
      : [counted(entries.length, "fact"), ...(blank > 0 ? [`${counted(blank, "blank line")} dropped`] : [])].join(", ");
  return (
    <SubPane
      title="Import memories"
      about="Bring over what another assistant knows about you, in two steps."
      from="memory"
      footer={
        <div className="flex flex-1 justify-end gap-8 py-12">
          <Button
            variant="quiet"
            onClick={() => {
              importDrafts.set(key, "");
              settings.back("memory");
            }}
          >
            Cancel
          </Button>
          <Button variant="primary" busy={importFacts.isPending} onClick={start}>
            {entries.length === 0 ? "Import" : `Import ${entries.length} ${entries.length === 1 ? "memory" : "memories"}`}
          </Button>
        </div>
      }
    >
      <Step number={1} title="Copy this and send it to the other assistant">
        <Button
          size="sm"
          className={state === "copied" ? "bg-accent-soft! text-accent-soft-ink!" : ""}
          onClick={() => copy(MEMORY_IMPORT_PROMPT)}
        >
          {state === "copied" ? <Check aria-hidden className="size-16" /> : <Copy aria-hidden className="size-16" />}
          {state === "copied" ? "Copied" : state === "failed" ? "Copy failed" : "Copy"}
        </Button>
      </Step>
      <p className="mt-8 ml-36 rounded-8 bg-s1 px-12 py-10 text-13 text-pretty text-ink">{MEMORY_IMPORT_PROMPT}</p>
      <div className="mt-24">
        <Step number={2} title="Paste its answer">
          <p className="text-13 text-ink2 tabular-nums">{tally}</p>
        </Step>
      </div>
      <TextArea
        label="Facts, one a line"
        isLabelHidden
        className="mt-8 ml-36"
        rows={11}
        value={text}
        error={problem}
        hint="Facts you already have are left out. You are told what was added, what was a duplicate and what failed."
        onChange={(event) => {
          importDrafts.set(key, event.target.value);
          setProblem(null);
        }}
      />
    </SubPane>
  );
}

function Step({ number, title, children }: { number: number; title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-32 items-center gap-12">
      <span aria-hidden className="flex size-24 shrink-0 items-center justify-center rounded-8 bg-s3 text-13 font-medium text-ink2">
        {number}
      </span>
      <h4 className="min-w-0 flex-1 text-14 font-medium text-ink">{title}</h4>
      {children}
    </div>
  );
}
