import { X } from "lucide-react";
import type { OutlineEntry } from "#web/features/library/artifact-preview/outline.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

const INDENTS = ["pl-12", "pl-12", "pl-24", "pl-36", "pl-48", "pl-48", "pl-48"] as const;

type OutlinePanelProps = { entries: readonly OutlineEntry[]; onGo: (entry: OutlineEntry) => void; onClose: () => void };

/** The headings of an artifact, each a way to its place. */
export function OutlinePanel({ entries, onGo, onClose }: OutlinePanelProps) {
  return (
    <nav aria-label="Outline" className="flex h-full min-h-0 w-full flex-col">
      <div className="flex h-52 shrink-0 items-center justify-between pr-10 pl-24">
        <h2 className="text-13 font-medium text-ink">Outline</h2>
        <IconButton label="Close outline" icon={X} tooltip="Close" onClick={onClose} />
      </div>
      {entries.length === 0 ? (
        <p className="px-24 text-13 text-ink2">Headings of the text stand here.</p>
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto px-12 pb-24">
          {entries.map((entry) => (
            <li key={entry.key}>
              <button
                type="button"
                onClick={() => onGo(entry)}
                className={cx(
                  "block min-h-32 w-full truncate rounded-8 py-6 pr-12 text-left text-13 hover:bg-s3 hover:text-ink touch:min-h-44",
                  INDENTS[entry.depth] ?? "pl-48",
                  entry.depth === 1 ? "font-medium text-ink" : "text-ink2",
                )}
              >
                {entry.text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
