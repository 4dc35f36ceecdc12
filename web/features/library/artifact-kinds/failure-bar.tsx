import { CircleAlert } from "lucide-react";
import { Button } from "#web/ui/button.tsx";

/** What goes wrong in a document that is shown live, and the way to hand it to a model. */
export function FailureBar({ error, onAsk }: { error: string; onAsk: (error: string) => void }) {
  return (
    <div
      role="alert"
      data-print="hide"
      className="mb-12 flex flex-wrap items-start gap-x-12 gap-y-8 rounded-12 bg-danger-soft px-16 py-10 text-13 text-ink"
    >
      <CircleAlert aria-hidden className="mt-8 size-16 shrink-0 text-danger" />
      <span className="max-h-160 min-w-200 flex-1 overflow-y-auto py-6 font-mono text-12/20 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {error}
      </span>
      <Button size="sm" onClick={() => onAsk(error)}>
        Ask a model to mend it
      </Button>
    </div>
  );
}
