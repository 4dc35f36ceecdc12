import { useMatch } from "react-router";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { APPROVALS_PATH } from "./approvals-path.ts";
import { useWaitingCount } from "./waiting-count.ts";

/** Stands above each list while something waits for this person's word, in whichever chat. */
export function WaitingRow({ inDrawer, onFollow }: { inDrawer: boolean; onFollow?: (() => void) | undefined }) {
  const count = useWaitingCount();
  const isOpen = useMatch(APPROVALS_PATH) !== null;
  if (count === 0) return null;
  return (
    <Link
      to={APPROVALS_PATH}
      replace={inDrawer}
      onClick={onFollow}
      aria-label={`Waiting for you, ${count}`}
      aria-current={isOpen ? "page" : undefined}
      className={cx(
        "mt-4 flex shrink-0 items-center rounded-8 font-medium text-ink transition-colors duration-120 hover:bg-s3 aria-[current=page]:bg-s4",
        inDrawer ? "mx-8 h-44 gap-14 px-12 text-15" : "mx-12 h-36 gap-8 px-8 text-14 touch:h-44",
      )}
    >
      <span aria-hidden className={cx("flex shrink-0 justify-center", inDrawer ? "w-20" : "w-16")}>
        <span className="size-7 rounded-full bg-signal" />
      </span>
      <span className="min-w-0 flex-1 truncate">Waiting for you</span>
      <span className="text-12 font-semibold text-signal-ink tabular-nums">{count}</span>
    </Link>
  );
}
