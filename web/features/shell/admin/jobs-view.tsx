import { RotateCw } from "lucide-react";
import { useState } from "react";
import { listJobs, retryJob } from "#shared/contracts/account/operation.ts";
import type { FailedJob, JobKind } from "#shared/entities/operation.ts";
import { call } from "#web/lib/api.ts";
import { counted, fullTime, rowTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Tab, TabList, Tabs } from "#web/ui/tabs.tsx";
import { jobLabel } from "./admin-labels.ts";
import { adminPath } from "./admin-view.ts";
import { PagedList } from "./paged-list.tsx";
import { Section } from "./section.tsx";
import { Answer } from "./spend-view.tsx";
import { useAdminAction, useJobKinds, usePages } from "./use-admin.ts";

const headClass = "border-b border-line-strong py-6 text-12 font-normal text-ink2";

/** How each kind of job fares that has failures. */
export function Queues() {
  const kinds = useJobKinds();
  const { data } = kinds;
  return (
    <Section title="Queues" all={adminPath("jobs")}>
      <Answer query={kinds} what="How the jobs fare">
        {data?.kinds.length === 0 && <p className="py-8 text-13 text-ink2">Every job does its work.</p>}
        {data && data.kinds.length > 0 && <Kinds kinds={data.kinds} />}
      </Answer>
    </Section>
  );
}

function Kinds({ kinds }: { kinds: JobKind[] }) {
  return (
    <table aria-label="Queues" className="w-full border-collapse text-13">
      <thead>
        <tr>
          <th scope="col" className={`${headClass} text-left`}>
            Job
          </th>
          <th scope="col" className={`${headClass} text-right`}>
            Tried again
          </th>
          <th scope="col" className={`${headClass} text-right`}>
            Oldest
          </th>
          <th scope="col" className={`${headClass} text-right`}>
            Stuck
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ queue, kind, trying, stuck, oldest_at: oldest }) => (
          <tr key={`${queue} ${kind}`} className={`h-32 border-b border-line ${stuck > 0 ? "font-medium text-signal-ink" : "text-ink"}`}>
            <td>{jobLabel(kind)}</td>
            <td className="text-right tabular-nums">{trying}</td>
            <td className="text-right">
              <time dateTime={oldest} title={fullTime(oldest)}>
                {rowTime(oldest)}
              </time>
            </td>
            <td className="text-right tabular-nums">{stuck}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const STATES = {
  stuck: { label: "Dead letters", empty: "No job is stuck." },
  trying: { label: "Tried again by itself", empty: "No job is being tried again." },
} as const;

type State = keyof typeof STATES;

/** Failed jobs with their cause: those that their queue gave up wait for somebody here. */
export function JobsView() {
  const [state, setState] = useState<State>("stuck");
  const list = usePages(["jobs", state], async (page, signal) => {
    const { jobs, nextCursor } = await call(listJobs, { query: { ...page, state } }, { signal });
    return { rows: jobs, nextCursor };
  });
  return (
    <div className="max-w-752">
      <Tabs value={state} onValueChange={(next) => setState(next === "trying" ? "trying" : "stuck")}>
        <TabList label="Failed jobs" className="mb-8 flex border-b border-line">
          {Object.entries(STATES).map(([value, { label }]) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </TabList>
      </Tabs>
      <PagedList list={list} what="The failed jobs" empty={STATES[state].empty}>
        {(jobs) => (
          <ul aria-label={STATES[state].label}>
            {jobs.map((job) => (
              <Job key={job.id} job={job} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function Job({ job: { id, kind, about, attempts, cause, failed_at: failedAt, stuck_at: stuckAt, retry_at: retryAt } }: { job: FailedJob }) {
  const retry = useAdminAction(() => call(retryJob, { params: { jobId: id }, body: {} }), {
    done: () => "The job is sent anew",
    failed: "The job could not be sent anew",
  });
  const tried = attempts === null ? "attempts unknown" : counted(attempts, "attempt");
  return (
    <li className="flex flex-wrap items-start gap-x-16 gap-y-8 border-b border-line py-12 text-13">
      <div className="min-w-0 flex-1 basis-240">
        <p className="font-medium text-ink">
          {jobLabel(kind)} <span className="font-normal text-ink2">{id}</span>
        </p>
        <p className="break-words text-ink">{cause ?? "No cause was noted: the Worker ended."}</p>
        <p className="text-ink2">
          {tried}, last{" "}
          <time dateTime={failedAt} title={fullTime(failedAt)}>
            {rowTime(failedAt)}
          </time>
          {retryAt !== null && ", sent anew within five minutes"}
        </p>
        {Object.entries(about).map(([field, value]) => (
          <p key={field} className="font-mono text-12 break-all text-ink2">
            {field} {value}
          </p>
        ))}
      </div>
      {stuckAt !== null && retryAt === null && (
        <Button size="sm" busy={retry.isPending} aria-label={`Try again: ${jobLabel(kind)} ${id}`} onClick={() => retry.mutate(undefined)}>
          <RotateCw aria-hidden className="size-14" />
          Try again
        </Button>
      )}
    </li>
  );
}
