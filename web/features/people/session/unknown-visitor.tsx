import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { returnFocusRef } from "#web/ui/return-focus.ts";
import { refreshSession, useSession } from "./use-session.ts";

/** What stands in place of a person's own things while the server cannot say who is here. */
export function UnknownVisitor({ className }: { className?: string }) {
  const { failure } = useSession();
  return (
    <div role="alert" className={cx("flex flex-wrap items-center gap-x-12 gap-y-8 text-ink2", className)}>
      <p>{failure?.text}</p>
      <Button ref={returnFocusRef} size="sm" onClick={() => void refreshSession()}>
        Try again
      </Button>
    </div>
  );
}
