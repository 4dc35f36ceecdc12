import { useState } from "react";
import { useNavigate } from "react-router";
import type { Message } from "#shared/entities/message.ts";
import { useNotifyFailure } from "#web/features/sending/use-notify-failure.ts";
import { fork } from "#web/features/fork/fork.ts";
import { Button } from "#web/ui/button.tsx";

/** Where a viewer's composer would be: what they may do instead. */
export default function ReadOnlyDock({ last }: { last: Message | null }) {
  const navigate = useNavigate();
  const notifyFailure = useNotifyFailure();
  const [isBusy, setIsBusy] = useState(false);
  const copy = async (message: Message) => {
    setIsBusy(true);
    try {
      void navigate(`/c/${await fork(message)}`);
    } catch (error) {
      notifyFailure("Failed to fork chat", error, null);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div data-print="hide" className="mx-auto w-full max-w-792 shrink-0 px-8 pb-[calc(8px+var(--safe-bottom))] desk:px-16 desk:pb-16">
      <div className="flex min-h-60 flex-wrap items-center gap-12 rounded-18 border border-line bg-s2 px-18 py-11 text-14 text-ink2">
        <p className="min-w-200 flex-1">You can read along here. To write, go on in a copy of your own.</p>
        <Button
          variant="primary"
          className="max-[520px]:w-full"
          busy={isBusy}
          disabled={last === null}
          onClick={() => last && void copy(last)}
        >
          Continue in my own copy
        </Button>
      </div>
    </div>
  );
}
