import { BookmarkCheck, BookmarkX } from "lucide-react";
import * as z from "zod/mini";
import type { Memory } from "#shared/entities/memory.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { SAVE_MEMORY, isMemoryTool } from "#shared/memory-tools.ts";
import { cx } from "#web/ui/cx.ts";
import { useChangeMemories, useMemoriesOf } from "./use-memories.ts";

export type MemoryChipsProps = { calls: readonly ToolCall[] };

const Output = z.looseObject({
  id: z.optional(z.string()),
  replaced: z.optional(z.array(z.string())),
});

/** What an answer had remembered and forgotten of its person, shown to them alone: their own memory knows these facts. */
export function MemoryChips({ calls }: MemoryChipsProps) {
  const changed = calls.filter(({ tool, status }) => isMemoryTool(tool) && status === "done").flatMap(changedBy);
  const { memories } = useMemoriesOf(changed.map(({ id }) => id));
  if (memories.length === 0) return null;
  return (
    <ul aria-label="Memory" className="mt-12 flex flex-wrap gap-6">
      {changed.map(({ id, isSaved }) => {
        const memory = memories.find((fact) => fact.id === id);
        return memory && <MemoryChip key={id} memory={memory} isSaved={isSaved} />;
      })}
    </ul>
  );
}

/** The facts that a call saved, replaced or forgot; one that was there before is no news. */
function changedBy({ id, tool, output }: ToolCall): { id: string; isSaved: boolean }[] {
  const parsed = Output.safeParse(parse(output));
  if (!parsed.success) return [];
  const replaced = (parsed.data.replaced ?? []).map((fact) => ({ id: fact, isSaved: false }));
  if (tool === SAVE_MEMORY) return parsed.data.id === id ? [{ id, isSaved: true }, ...replaced] : [];
  return parsed.data.id === undefined ? [] : [{ id: parsed.data.id, isSaved: false }];
}

function parse(output: string | null): unknown {
  try {
    return JSON.parse(output ?? "null");
  } catch {
    return null;
  }
}

function MemoryChip({ memory: { id, text, ended }, isSaved }: { memory: Memory; isSaved: boolean }) {
  const { forget, keep, undo } = useChangeMemories();
  const holds = ended === null;
  const Icon = holds ? BookmarkCheck : BookmarkX;
  const takeBack = isSaved ? undo : forget;
  return (
    <li
      className={cx(
        "flex min-h-28 max-w-full items-center gap-8 rounded-6 px-8 text-13 touch:min-h-44",
        holds ? "bg-accent-soft text-accent-soft-ink" : "bg-s3 text-ink2",
      )}
    >
      <Icon aria-hidden className="size-14 shrink-0" />
      <span className="font-medium">{holds ? "Remembered" : "Forgotten"}</span>
      <span dir="auto" className="min-w-0 truncate" title={text}>
        {text}
      </span>
      <span aria-hidden className="h-16 w-1 shrink-0 bg-line-strong" />
      <button
        type="button"
        className="shrink-0 font-medium underline-offset-3 hover:underline touch:min-h-44"
        aria-label={`${holds ? "Undo" : "Keep"}: ${text}`}
        onClick={() => (holds ? takeBack : keep).mutate(id)}
      >
        {holds ? "Undo" : "Keep"}
      </button>
    </li>
  );
}
