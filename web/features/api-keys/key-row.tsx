import type { ApiKey } from "#shared/entities/library/api-key.ts";
import { whenInWords } from "#web/features/artifacts/artifact-words.ts";
import { useMinute } from "#web/features/chat-row/use-minute.ts";
import { fullTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { scopesLine } from "./scopes.ts";

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

type KeyRowProps = { held: ApiKey; onEdit: () => void; onRevoke: () => void };

/** One key: what uses it, what it may do, what it spent, and when it was used last. */
export function KeyRow({ held: { name, hint, scopes, budget, spent, last_used_at: used }, onEdit, onRevoke }: KeyRowProps) {
  const now = useMinute(used !== null);
  const money =
    budget === null ? `${dollars.format(spent)} this month` : `${dollars.format(spent)} of ${dollars.format(budget)} this month`;
  return (
    <li className="flex flex-wrap items-center gap-x-8 gap-y-4 border-b border-line py-10">
      <div className="min-w-200 flex-1">
        <p className="text-14 break-words text-ink">
          {name} <span className="font-mono text-12 text-ink3">…{hint}</span>
        </p>
        <p className="text-13 text-ink2">
          <span className="inline-block">{scopesLine(scopes)} ·</span> <span className="inline-block">{money} ·</span>{" "}
          {used === null ? (
            <span className="inline-block">Never used</span>
          ) : (
            <time dateTime={used} title={fullTime(used)} className="inline-block">
              {`Last used ${whenInWords(used, now)}`}
            </time>
          )}
        </p>
      </div>
      <div className="-mr-12 flex max-[767px]:-ml-12">
        <Button size="sm" variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="quiet" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      </div>
    </li>
  );
}
