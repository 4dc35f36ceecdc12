import type { Message } from "#shared/entities/message.ts";
import { useFork } from "#web/features/conversation/fork/use-fork.ts";
import { Button } from "#web/ui/button.tsx";

/** Where a viewer's composer would be: what they may do instead. */
export default function ReadOnlyDock({ last }: { last: Message | null }) {
  const fork = useFork();
  return (
    <div data-print="hide" className="mx-auto w-full max-w-792 shrink-0 px-8 pb-[calc(8px+var(--safe-bottom))] desk:px-16 desk:pb-16">
      <div className="flex min-h-60 flex-wrap items-center gap-12 rounded-18 border border-line bg-s2 px-18 py-11 text-14 text-ink2">
        <p className="min-w-200 flex-1">You can read along here. To write, go on in a copy of your own.</p>
        <Button
          variant="primary"
          className="max-[520px]:w-full"
          busy={fork.isPending}
          disabled={last === null}
          onClick={() => last && fork.mutate(last)}
        >
          Continue in my own copy
        </Button>
      </div>
    </div>
  );
}
