import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { formatBytes } from "#shared/attachment-rules.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { STORAGE_BYTES } from "#shared/limits.ts";
import { CONNECTIONS_MAX } from "#shared/live-limits.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** What the person keeps takes of their storage, and how many connections their tabs hold. */
export function StorageView() {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.quotas,
    queryFn: ({ signal }) => call(getQuotas, {}, { signal }),
    // Files and tabs come and go without a word to this view.
    staleTime: 0,
  });
  if (isError) {
    return (
      <div className="flex items-center gap-12 text-13 text-ink2">
        Storage and connections could not be loaded.
        <TryAgain onClick={() => void refetch()} />
      </div>
    );
  }
  return (
    <>
      <Quota title="Storage" used={data?.storage.used} limit={STORAGE_BYTES} format={formatBytes}>
        used by the files in your chats and knowledge, and by your artifacts with all their versions. Deleting one frees what it takes.
      </Quota>
      <Quota title="Connections" used={data?.connections.used} limit={CONNECTIONS_MAX} format={String}>
        open: one for each tab, and one for each place where an answer is followed while it is written. Closing tabs frees them.
      </Quota>
    </>
  );
}

/** `used` is undefined until it is known: only the number comes later, so nothing moves. */
type QuotaProps = { title: string; used: number | undefined; limit: number; format: (amount: number) => string; children: string };

function Quota({ title, used, limit, format, children }: QuotaProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} aria-busy={used === undefined}>
      <h4 id={headingId} className="text-13 font-medium text-ink">
        {title}
      </h4>
      <p className="mt-2 text-13 text-ink2">
        <span className="text-ink tabular-nums">{used === undefined ? "…" : format(used)}</span> of {format(limit)} {children}
      </p>
      <div aria-hidden className="mt-8 h-8 overflow-hidden rounded-full bg-s3">
        <span className="block h-8 rounded-full bg-accent" style={{ width: `${Math.min(100, ((used ?? 0) / limit) * 100)}%` }} />
      </div>
    </section>
  );
}
