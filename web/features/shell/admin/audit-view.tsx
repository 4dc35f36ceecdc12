import { listAudit } from "#shared/contracts/account/admin.ts";
import type { AuditEntry } from "#shared/entities/audit.ts";
import { call } from "#web/lib/api.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Link } from "#web/ui/link.tsx";
import { auditActionText, changesOf } from "./admin-labels.ts";
import { adminPath } from "./admin-view.ts";
import { PagedList } from "./paged-list.tsx";
import { Section } from "./section.tsx";
import { usePages } from "./use-admin.ts";

/** Entries that the overview shows. */
const SHOWN = 9;

function useAudit(subject: string | null) {
  return usePages(["audit", subject ?? ""], async (page, signal) => {
    const { entries, nextCursor } = await call(listAudit, { query: { ...page, ...(subject !== null && { subject }) } }, { signal });
    return { rows: entries, nextCursor };
  });
}

/** What administrators did last. */
export function LatestAudit() {
  const list = useAudit(null);
  return (
    <Section title="Audit log" all={adminPath("audit")}>
      <PagedList list={{ ...list, hasMore: false }} what="The audit log" empty="No administrator has done anything yet.">
        {(entries) => (
          <ol className="border-t border-line">
            {entries.slice(0, SHOWN).map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </PagedList>
    </Section>
  );
}

/** All that administrators did, or what they did about one person or thing, with what changed by it. */
export function AuditView({ subject }: { subject: string | null }) {
  const list = useAudit(subject);
  return (
    <Section
      title={subject === null ? "Audit log" : "Audit log of one subject"}
      aside={
        subject !== null && (
          <Link
            to={adminPath("audit")}
            className="rounded-6 text-13 text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink"
          >
            Show everything
          </Link>
        )
      }
    >
      <PagedList list={list} what="The audit log" empty="No administrator has done anything here yet.">
        {(entries) => (
          <ol className="border-t border-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} showsChanges />
            ))}
          </ol>
        )}
      </PagedList>
    </Section>
  );
}

function Entry({ entry, showsChanges = false }: { entry: AuditEntry; showsChanges?: boolean }) {
  const { at, actor, subject, reason } = entry;
  return (
    <li className="flex flex-wrap gap-x-16 border-b border-line py-8 text-13 desk:flex-nowrap">
      <time dateTime={at} title={fullTime(at)} className="w-48 shrink-0 text-ink2 tabular-nums">
        {rowTime(at)}
      </time>
      <span className="min-w-0 flex-1 truncate font-medium text-ink desk:w-120 desk:flex-none" title={actor.email ?? actor.name}>
        {actor.name}
      </span>
      <div className="w-full min-w-0 desk:w-auto desk:flex-1">
        <p className="break-words text-ink" title={subject.email ?? undefined}>
          {auditActionText(entry)}
        </p>
        {reason !== null && <p className="break-words text-ink2">{reason}</p>}
        {showsChanges && <Changes entry={entry} />}
      </div>
    </li>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { actor, subject } = entry;
  const changes = changesOf(entry);
  return (
    <dl className="mt-4 flex flex-wrap gap-x-16 gap-y-2 text-12 text-ink2">
      {actor.email !== null && <Fact name="by" value={actor.email} />}
      {subject.email !== null && <Fact name="whom" value={subject.email} />}
      {changes.map(({ field, from, to }) => (
        <Fact key={field} name={field} value={from !== "" && to !== "" ? `${from} → ${to}` : from || to} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-4">
      <dt>{name}</dt>
      <dd className="min-w-0 break-all text-ink">{value}</dd>
    </div>
  );
}
