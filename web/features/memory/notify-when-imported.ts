import { listMemories } from "#shared/contracts/memories.ts";
import type { MemoryImport } from "#shared/entities/memory.ts";
import { importReport } from "#shared/memory-import.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Says once what became of an imported list, wherever its person is in the product by then. */
export async function notifyWhenImported(id: string): Promise<void> {
  let isNotified = false;
  const hear = (last: MemoryImport | null) => {
    if (last?.id !== id || last.state === "running" || isNotified) return;
    isNotified = true;
    stop();
    toast({
      title: last.state === "done" ? "Memories imported" : "The memory import stopped",
      description: importReport(last),
      tone: last.state === "done" ? "success" : "danger",
    });
  };
  const stop = onLive((event) => event.type === "memory.import" && hear(event.import));
  // It may have ended before this was listened for.
  const { last_import: last } = await call(listMemories, { query: { ids: id } });
  hear(last);
}
