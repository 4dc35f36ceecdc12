import { cx } from "#web/ui/cx.ts";
import { refreshSession, useSession } from "./use-session.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** What stands in place of a person's own things while the server cannot say who is here. */
export function UnknownVisitor({ className }: { className?: string }) {
  const { failure } = useSession();
  return (
    <div role="alert" className={cx("flex flex-wrap items-center gap-x-12 gap-y-8 text-ink2", className)}>
      <p>{failure?.text}</p>
      <TryAgain onClick={() => void refreshSession()} />
    </div>
  );
}
