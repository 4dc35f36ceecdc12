import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import { listFeedback, settleFeedback } from "#shared/contracts/account/operation.ts";
import type { FeedbackEntry } from "#shared/entities/operation.ts";
import { call } from "#web/lib/api.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Tab, TabList, Tabs } from "#web/ui/tabs.tsx";
import { PagedList } from "./paged-list.tsx";
import { useAdminAction, usePages } from "./use-admin.ts";

type State = "open" | "done";

/** What people wrote to the operator, requests for models too. */
export function FeedbackView() {
  const [state, setState] = useState<State>("open");
  const list = usePages(["feedback", state], async (page, signal) => {
    const { feedback, nextCursor } = await call(listFeedback, { query: { ...page, state } }, { signal });
    return { rows: feedback, nextCursor };
  });
  return (
    <div className="max-w-752">
      <Tabs value={state} onValueChange={(next) => setState(next === "done" ? "done" : "open")}>
        <TabList label="Feedback" className="mb-8 flex border-b border-line">
          <Tab value="open">Open</Tab>
          <Tab value="done">Done</Tab>
        </TabList>
      </Tabs>
      <PagedList list={list} what="The feedback" empty={state === "open" ? "Nothing waits for an answer." : "Nothing is done yet."}>
        {(entries) => (
          <ul aria-label={state === "open" ? "Open feedback" : "Done feedback"}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function Entry({ entry: { id, message, created_at: at, done_at: doneAt, from } }: { entry: FeedbackEntry }) {
  const isDone = doneAt !== null;
  const settle = useAdminAction(() => call(settleFeedback, { params: { id }, body: { done: !isDone } }), {
    done: () => (isDone ? "Open again" : "Marked as done"),
    failed: "That could not be changed",
  });
  const sender = from?.display_name ?? "Somebody who left";
  const verb = isDone ? "Open again" : "Mark as done";
  return (
    <li className="flex flex-wrap items-start gap-x-16 gap-y-8 border-b border-line py-12 text-13">
      <div className="min-w-0 flex-1 basis-240">
        <p className="break-words text-ink2">
          <span className="font-medium text-ink">{sender}</span> {from?.email},{" "}
          <time dateTime={at} title={fullTime(at)}>
            {rowTime(at)}
          </time>
        </p>
        <p dir="auto" className="mt-4 text-14 break-words whitespace-pre-wrap text-ink">
          {message}
        </p>
      </div>
      <Button size="sm" busy={settle.isPending} aria-label={`${verb}: feedback of ${sender}`} onClick={() => settle.mutate(undefined)}>
        {isDone ? <Undo2 aria-hidden className="size-14" /> : <Check aria-hidden className="size-14" />}
        {verb}
      </Button>
    </li>
  );
}
