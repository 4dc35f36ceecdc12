import { ListOrdered } from "lucide-react";
import { splitSteps } from "#shared/library/chain.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useDraft } from "#web/features/conversation/composer/drafts.ts";
import { Button } from "#web/ui/button.tsx";
import { mayBeChain, sentAsOne, stepsAsInserted } from "./queue-route.ts";

/** Says that what is written runs in steps, with the way to send it as one message. */
export function ChainNotice({ draftKey }: { draftKey: string }) {
  const [text] = useDraft(draftKey);
  const isOne = useKeyed(sentAsOne, draftKey);
  const steps = mayBeChain(text) ? (stepsAsInserted(draftKey, text) ?? splitSteps(text)).length : 1;
  if (steps < 2) return null;
  return (
    <div className="mx-12 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-accent-soft py-2 pr-4 pl-12 text-13 text-accent-soft-ink touch:min-h-44 desk:mx-20">
      <ListOrdered aria-hidden className="size-16 shrink-0" />
      <p role="status" className="min-w-0 flex-1">
        {isOne ? "Goes as one message" : `Runs as ${steps} steps`}
      </p>
      <Button size="sm" variant="quiet" onClick={() => sentAsOne.set(draftKey, !isOne)}>
        {isOne ? `Run as ${steps} steps` : "Send as one message"}
      </Button>
    </div>
  );
}
