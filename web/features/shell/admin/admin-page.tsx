import { Download, TicketPlus } from "lucide-react";
import { useEffect, useRef } from "react";
import { downloadLedger } from "#shared/contracts/account/operation.ts";
import { openInvites } from "#web/features/people/invites/invites-store.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { address } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { countLabel, headlineOf, monthName, SECURITY_EVENT_LABELS } from "./admin-labels.ts";
import { ADMIN_VIEWS, adminPath, type AdminView, useAdminView } from "./admin-view.ts";
import { AuditView, LatestAudit } from "./audit-view.tsx";
import { FeedbackView } from "./feedback-view.tsx";
import { InvitesView, LatestInvites } from "./invites-view.tsx";
import { JobsView, Queues } from "./jobs-view.tsx";
import { PlansView } from "./plans-view.tsx";
import { SpendByModel, SpendView } from "./spend-view.tsx";
import { useOverview } from "./use-admin.ts";
import { UsersSection } from "./users-section.tsx";
import type { SecurityCount } from "#shared/entities/operation.ts";
import { Section } from "./section.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

const VIEWS: AdminView[] = ["overview", "plans", "feedback", "jobs", "invites", "spend", "audit"];

const HEADLINE_SKELETON = <Skeleton className="inline-block h-20 w-480 max-w-full" />;

type Overview = ReturnType<typeof useOverview>["data"];

/** How many wait in a view for an administrator. */
function waitingIn(view: AdminView, overview: Overview): number {
  if (view === "plans") return overview?.waiting_plans ?? 0;
  if (view === "feedback") return overview?.open_feedback ?? 0;
  return view === "jobs" ? (overview?.stuck_jobs ?? 0) : 0;
}

/** Administration: who is here, what it costs, what waits, and what administrators did. */
export default function AdminPage() {
  const { view, subject } = useAdminView();
  const { data: overview, error, refetch, isFetching } = useOverview();
  usePageTitle(view === "overview" ? "Administration" : `${ADMIN_VIEWS[view]}, administration`);
  return (
    <>
      <PaneHeader
        actions={
          <>
            <Button variant="quiet" size="sm" onClick={() => openInvites()}>
              <TicketPlus aria-hidden className="size-16" />
              <span className="max-[519px]:sr-only">Invites</span>
            </Button>
            <a
              href={address(downloadLedger, {})}
              download
              className="inline-flex h-32 shrink-0 items-center gap-8 rounded-8 px-12 text-13 font-medium whitespace-nowrap text-ink2 hover:bg-s3 hover:text-ink touch:h-44"
            >
              <Download aria-hidden className="size-16" />
              <span className="max-[519px]:sr-only">Ledger as CSV</span>
            </a>
          </>
        }
      >
        <h1 className="truncate text-14 font-medium text-ink">Administration</h1>
      </PaneHeader>
      <div className="@container min-h-0 flex-1 overflow-y-auto px-16 pb-[calc(48px+var(--safe-bottom))] desk:px-24">
        <div className="flex flex-wrap items-center gap-x-16 gap-y-4 py-8">
          <p role={error && !overview ? "alert" : undefined} className="min-h-28 min-w-0 font-serif text-21 text-pretty text-ink">
            {overview ? headlineOf(overview) : error ? "What there is to say here could not be loaded." : HEADLINE_SKELETON}
          </p>
          {error && !overview && <TryAgain busy={isFetching} aria-label="Try again: what there is to say" onClick={() => void refetch()} />}
        </div>
        <nav aria-label="Administration" className="-mx-8 mb-16 flex overflow-x-auto [scrollbar-width:none]">
          {VIEWS.map((name) => (
            <ViewLink
              key={name}
              view={name}
              isCurrent={name === view}
              isCounted={overview !== undefined}
              waiting={waitingIn(name, overview)}
            />
          ))}
        </nav>
        {view === "overview" && <OverviewPanes overview={overview} />}
        {view === "plans" && <PlansView />}
        {view === "feedback" && <FeedbackView />}
        {view === "jobs" && <JobsView />}
        {view === "invites" && <InvitesView />}
        {view === "spend" && <SpendView />}
        {view === "audit" && <AuditView key={subject} subject={subject} />}
      </div>
    </>
  );
}

type ViewLinkProps = { view: AdminView; isCurrent: boolean; isCounted: boolean; waiting: number };

function ViewLink({ view, isCurrent, isCounted, waiting }: ViewLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone the row is longer than the screen, and what is counted in it makes it longer still.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest", inline: isCounted ? "center" : "nearest" });
  }, [isCurrent, isCounted]);
  return (
    <Link
      ref={link}
      to={adminPath(view)}
      aria-current={isCurrent ? "page" : undefined}
      className={cx(
        "inline-flex h-32 shrink-0 items-center gap-6 rounded-8 px-8 text-13 whitespace-nowrap hover:bg-s3 hover:text-ink touch:h-44",
        isCurrent ? "font-medium text-ink" : "text-ink2",
      )}
    >
      <span className={cx(isCurrent && "underline decoration-accent decoration-2 underline-offset-6")}>{ADMIN_VIEWS[view]}</span>
      {waiting > 0 && <span className="font-medium text-signal-ink tabular-nums">{waiting}</span>}
    </Link>
  );
}

function OverviewPanes({ overview }: { overview: Overview }) {
  const month = overview ? monthName(overview.month) : "This month";
  return (
    <div className="grid gap-x-48 gap-y-32 @min-[960px]:grid-cols-[minmax(0,1fr)_336px]">
      <div className="min-w-0 space-y-32">
        <UsersSection count={overview && countLabel(overview.accounts)} month={month} />
        <LatestAudit />
      </div>
      <div className="min-w-0 space-y-32">
        <SpendByModel />
        <Queues />
        <SecuritySection counts={overview?.security} />
        <LatestInvites />
      </div>
    </div>
  );
}

/** How often somebody got in, and how often somebody tried what they may not. */
function SecuritySection({ counts }: { counts: SecurityCount[] | undefined }) {
  return (
    <Section title="Security" count="today, and in 7 days">
      {!counts && <Skeleton className="my-8 h-12 w-2/3" />}
      {counts?.length === 0 && <p className="py-8 text-13 text-ink2">Nothing happened in the last seven days.</p>}
      {counts && counts.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-16 text-13">
          {counts.map(({ kind, today, week }) => (
            <div key={kind} className="col-span-3 grid min-h-32 grid-cols-subgrid items-center border-b border-line text-ink">
              <dt>{SECURITY_EVENT_LABELS[kind]}</dt>
              <dd className="text-right tabular-nums">
                {today.toLocaleString("en")}
                <span className="sr-only"> today</span>
              </dd>
              <dd className="min-w-32 text-right text-ink2 tabular-nums">
                {week.toLocaleString("en")}
                <span className="sr-only"> in 7 days</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
