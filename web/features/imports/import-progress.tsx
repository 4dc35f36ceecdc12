import { formatBytes } from "#shared/attachment-rules.ts";
import { IMPORT_SOURCES, type Import } from "#shared/imports/import.ts";
import { counted } from "#web/lib/format.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";

const FOREIGN =
  "Its chats come with their versions, dates and models, and with the files that are in the export. What came before is left as it is.";
const OWN =
  "Its chats, files, personas, prompts, knowledge, artifacts, memories and folders come beside what you have here. Settings come where you have set nothing yet, and schedules come paused.";

/** What was recognised, and how far its import is. */
export function ImportProgress({ import: now }: { import: Import }) {
  const { name, size, source, state, items, done } = now;
  const failed = now.counts.chat?.failed ?? 0;
  return (
    <>
      <div className="flex items-baseline justify-between gap-16 rounded-12 bg-s1 px-16 py-12">
        <div className="min-w-0">
          <p className="text-14 font-medium text-ink">{source === null ? "An export" : `An export of ${IMPORT_SOURCES[source]}`}</p>
          <p className="truncate text-13 text-ink2">{name}</p>
        </div>
        <p className="shrink-0 text-13 text-ink2 tabular-nums">{formatBytes(size)}</p>
      </div>
      {state === "ready" ? (
        <p className="mt-12 text-13 text-pretty text-ink2">{source === "polylogue" ? OWN : FOREIGN} Nothing is charged.</p>
      ) : (
        <div role="status" className="mt-16">
          <p className="text-13 text-ink2 tabular-nums">
            {state === "reading" || items === null
              ? "Looking for chats…"
              : `${done.toLocaleString("en")} of ${counted(items, "chat")}${failed > 0 ? `, ${failed.toLocaleString("en")} not imported` : ""}`}
          </p>
          <ProgressBar
            aria-label="Progress of the import"
            max={Math.max(items ?? 1, 1)}
            value={state === "reading" ? 0 : done}
            className="mt-8 block w-full"
          />
          <p className="mt-12 text-13 text-pretty text-ink2">
            You can close this: the import goes on, and a mail tells you when it is done.
          </p>
        </div>
      )}
    </>
  );
}
