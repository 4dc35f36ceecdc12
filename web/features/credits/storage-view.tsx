import { useQuery } from "@tanstack/react-query";
import { formatBytes } from "#shared/attachment-rules.ts";
import { getQuotas } from "#shared/contracts/quotas.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

type Used = { used: number; limit: number };

/** What the files in the person's chats take of their storage, and how many connections their tabs hold. */
export function StorageView() {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.quotas,
    queryFn: ({ signal }) => call(getQuotas, {}, { signal }),
    // Files and tabs come and go without a word to this view.
    staleTime: 0,
  });
  return (
    <>
      <section aria-labelledby="storage-heading" className="max-w-480">
        <h4 id="storage-heading" className="text-13 font-medium text-ink">
          Storage
        </h4>
        {isError ? (
          <div className="mt-2 flex items-center gap-12 text-13 text-ink2">
            Storage and connections could not be loaded.
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        ) : data ? (
          <StorageUsed {...data.storage} />
        ) : (
          <Skeleton className="mt-6 h-12 w-160" />
        )}
      </section>
      {!isError && (
        <section aria-labelledby="connections-heading" className="max-w-480">
          <h4 id="connections-heading" className="text-13 font-medium text-ink">
            Connections
          </h4>
          {data ? <ConnectionsUsed {...data.connections} /> : <Skeleton className="mt-6 h-12 w-160" />}
        </section>
      )}
    </>
  );
}

function StorageUsed({ used, limit }: Used) {
  return (
    <>
      <p className="mt-2 min-h-20 text-13 text-ink2">
        <span className="text-ink tabular-nums">{formatBytes(used)}</span> of {formatBytes(limit)} used by the files in your chats. Deleting
        a chat frees what its files take.
      </p>
      <UsedBar used={used} limit={limit} />
    </>
  );
}

function ConnectionsUsed({ used, limit }: Used) {
  return (
    <>
      <p className="mt-2 min-h-20 text-13 text-ink2">
        <span className="text-ink tabular-nums">{used}</span> of {limit} open: one for each tab, and one for each place where an answer is
        followed while it is written. Closing tabs frees them.
      </p>
      <UsedBar used={used} limit={limit} />
    </>
  );
}

function UsedBar({ used, limit }: Used) {
  return (
    <div aria-hidden className="mt-8 h-8 overflow-hidden rounded-full bg-s3">
      <span className="block h-8 rounded-full bg-accent" style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
    </div>
  );
}
