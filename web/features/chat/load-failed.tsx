import { useFirstScreenShown } from "#web/lib/first-screen.ts";
import { Button } from "#web/ui/button.tsx";

/** A chat that could not be read, with the way to ask again. */
export function LoadFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  useFirstScreenShown();
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-12 px-24 text-center">
      <div>
        <p className="text-16 font-medium text-ink">This chat could not be loaded</p>
        <p className="mt-4 text-14 text-ink2">{message}</p>
      </div>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
