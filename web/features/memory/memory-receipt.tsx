import { useSettings } from "#web/features/settings/use-settings.ts";
import { counted } from "#web/lib/format.ts";
import { useMemoriesOf } from "./use-memories.ts";
import { wantMemory } from "./wanted-memory.ts";

/** The facts that went along with a question, each with the way to where it is mended. */
export default function MemoryReceipt({ ids }: { ids: readonly string[] }) {
  const settings = useSettings();
  const { memories } = useMemoriesOf(ids);
  if (memories.length === 0) return null;
  const mend = (id: string) => {
    wantMemory(id);
    settings.open("memory");
  };
  return (
    <section aria-label="Memory" className="mt-12 border-t border-line pt-10 text-13">
      <h4 className="text-ink3">{`${counted(memories.length, "fact")} of your memory went along`}</h4>
      <ul className="mt-4 max-h-200 space-y-4 overflow-y-auto">
        {memories.map(({ id, text, ended }) => (
          <li key={id} className="flex items-start gap-12">
            <span dir="auto" className="min-w-0 flex-1 break-words text-ink">
              {text}
              {ended !== null && <span className="text-ink3"> (no longer held)</span>}
            </span>
            {ended === null && (
              <button
                type="button"
                aria-label={`Wrong: ${text}`}
                onClick={() => mend(id)}
                className="shrink-0 text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:min-h-44"
              >
                Wrong?
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
