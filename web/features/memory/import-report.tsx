import type { MemoryImport } from "#shared/entities/memory.ts";
import { importReport } from "#shared/memory-import.ts";

/** How far a list is that is being imported, and what became of it. */
export function ImportReport({ last }: { last: MemoryImport }) {
  const { state, total, added, duplicate, failed } = last;
  const done = added + duplicate + failed;
  const report = importReport(last);
  return (
    <div role="status" className="mt-8 text-13 text-ink2 tabular-nums">
      {state === "running" ? (
        <>
          <p>{`Importing: ${done} of ${total}`}</p>
          <div className="mt-4 h-4 overflow-hidden rounded-full bg-s3">
            <div
              className="h-full w-full origin-left bg-accent transition-transform duration-180"
              style={{ transform: `scaleX(${total === 0 ? 1 : done / total})` }}
            />
          </div>
        </>
      ) : (
        <p>{state === "done" ? `Imported: ${report}` : `The import stopped: ${report}`}</p>
      )}
    </div>
  );
}
