import { Button } from "#web/ui/button.tsx";

type RefusalProps = {
  /** What is not there, as a sentence begins with it: "The users". */
  what: string;
  isBusy: boolean;
  onRetry: () => void;
};

/** Says what could not be loaded, and asks for it again. */
export function Refusal({ what, isBusy, onRetry }: RefusalProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-12 gap-y-4 py-8 text-13 text-ink2">
      <p>{what} could not be loaded.</p>
      <Button size="sm" busy={isBusy} aria-label={`Try again: ${what}`} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
