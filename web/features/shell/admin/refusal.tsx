import { TryAgain } from "#web/ui/try-again.tsx";

type RefusalProps = {
  /** What is not there, as a sentence begins with it: "The users". */
  what: string;
  error: Error;
  isBusy: boolean;
  onRetry: () => void;
};

/** Says what could not be loaded and why, and asks for it again. */
export function Refusal({ what, error, isBusy, onRetry }: RefusalProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-12 gap-y-4 py-8 text-13 text-ink2">
      <p>{`${what} could not be loaded. ${error.message}`}</p>
      <TryAgain busy={isBusy} aria-label={`Try again: ${what}`} onClick={onRetry} />
    </div>
  );
}
