import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { ToolCall, ToolDecision } from "#shared/entities/tool-call.ts";
import { CallPrice } from "#web/features/conversation/runs/call-price.tsx";
import { useCallHours } from "#web/features/conversation/runs/use-call-settings.ts";
import { isMemoryTool } from "#shared/memory-tools.ts";
import { connectedCategory } from "#shared/tools/connected-tools.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { cx } from "#web/ui/cx.ts";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { groupedNumber } from "#web/lib/phone-number.ts";
import { ApiError, call as callApi } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { stored } from "#web/lib/storage.ts";
import { ApprovalEdit } from "./approval-edit.tsx";
import { fieldsOf, type ApprovalField, applyEdits, type FieldEdits, realEdits } from "./approval-fields.ts";
import { presenterOf } from "./presenters/registry.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { readable } from "./tool-input.ts";
import { useCategories } from "./use-categories.ts";

/** A call outside of its person's hours goes out at once, or waits for them. */
const CALL_NOW = { outside_hours: true };
const CALL_LATER = { outside_hours: false };

type ApprovalCardProps = {
  chatId: string;
  call: ToolCall;
  /** The card goes while the focus is in it. */
  onFocusLost: (callId: string) => void;
  /** Where it waits, given where it stands in a list of such cards: it is no landmark then, and describes its call in short. */
  place?: ReactNode;
  /** It was decided, here or, with null, before elsewhere. */
  onDecided?: (callId: string, decision: ToolDecision | null) => void;
};

/** What a tool is about to do outside, before it does: seen, edited, approved or discarded by the person whose turn it is. */
export function ApprovalCard({ chatId, call, onFocusLost, onDecided, place }: ApprovalCardProps) {
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement)) onFocusLost(call.id);
    };
  }, [call.id, onFocusLost]);
  const approval = useApproval(chatId, call, onDecided);
  const [isEditing, setIsEditing] = useState(Object.keys(approval.edits).length > 0);
  const [isAlways, setIsAlways] = useState(false);
  const [isExpanded, setIsWhole] = useState(false);
  const isListed = place !== undefined;
  const { pending, pendingMore } = approval;
  const hours = useCallHours(call.tool);
  const isApproving = pending === "approve" || pending === "always";
  const isNow = pendingMore === CALL_NOW;
  const isAskedAgain = call.approval?.isAskedAgain === true;
  const { name, labels = {}, brief: briefOf } = presenterOf(call.tool);
  const brief = isListed ? (briefOf?.(call.input) ?? null) : null;
  const fields = fieldsOf(call.input).map((field) => ({
    ...field,
    label: labels[field.name] ?? field.label,
    value: approval.edits[field.name] ?? field.value,
  }));
  const toggle = () => {
    if (isEditing) approval.undo();
    setIsEditing(!isEditing);
  };
  return (
    <section
      ref={card}
      role={isListed ? "group" : undefined}
      aria-labelledby={titleId}
      data-waits
      className={cx("text-14", isListed ? "relative pl-28" : "my-8 rounded-12 border border-line bg-s2 *:px-16")}
    >
      <Announcement text={`${name} is waiting for you`} />
      <CardHeader call={call} titleId={titleId} name={name} about={brief?.about ?? null} place={place} />
      <ReasonToAsk call={call} />
      <div className={isListed ? "pt-8" : "pt-14 pb-4"}>
        {fields.length === 0 ? (
          <pre className="font-mono text-13 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">{readable(call.input)}</pre>
        ) : isEditing ? (
          <ApprovalEdit fields={fields} problem={approval.problem} isDisabled={pending !== null} onEdit={approval.edit} />
        ) : brief && !isExpanded ? (
          <p className="text-15 [overflow-wrap:anywhere] text-ink">
            <span className="line-clamp-2">
              {brief.lead !== null && <span className="font-medium">{`${brief.lead.replace(/[.!?]$/, "")}. `}</span>}
              {brief.text}
            </span>
            <button
              type="button"
              onClick={() => setIsWhole(true)}
              className="text-13 font-medium text-accent underline-offset-3 hover:underline touch:min-h-44"
            >
              Show all
            </button>
          </p>
        ) : (
          <ApprovalView fields={fields} />
        )}
        {call.tool === "blandCall" && (
          <CallPrice
            minutes={fields.find((field) => field.name === "max_duration")?.value ?? ""}
            isEditing={isEditing}
            isDisabled={pending !== null}
            onMinutes={(minutes) => approval.edit("max_duration", minutes)}
          />
        )}
      </div>
      {hours && <p className="pt-8 text-13 text-ink2">{`${hours.why} It can wait until then by itself, or go out now.`}</p>}
      {approval.failure && (
        <p role="alert" className="pt-8 text-13 text-danger">
          {approval.failure}
        </p>
      )}
      <footer className={cx("flex flex-wrap items-center gap-8", isListed ? "pt-12" : "py-12")}>
        <Button
          variant="primary"
          busy={isApproving && !isNow}
          disabled={pending === "discard" || isNow}
          onClick={() => approval.give(isAlways ? "always" : "approve", hours ? CALL_LATER : undefined)}
        >
          {hours ? `Call ${hours.opens}` : "Approve"}
        </Button>
        {hours && (
          <Button busy={isNow} disabled={pending !== null && !isNow} onClick={() => approval.give("approve", CALL_NOW)}>
            Call now
          </Button>
        )}
        {fields.length > 0 && (
          <Button disabled={pending !== null} onClick={toggle}>
            {isEditing ? "Undo edits" : "Edit"}
          </Button>
        )}
        <Button variant="quiet" busy={pending === "discard"} disabled={isApproving} onClick={() => approval.give("discard")}>
          Discard
        </Button>
        {!isAskedAgain && !isMemoryTool(call.tool) && call.tool !== "gmailSend" && call.tool !== "exaCrawl" && (
          <span className="text-13 min-[600px]:ml-auto">
            <Checkbox
              label={`Always allow ‘${name}’`}
              checked={isAlways}
              disabled={pending !== null}
              onChange={(event) => setIsAlways(event.target.checked)}
            />
          </span>
        )}
      </footer>
    </section>
  );
}

type CardHeaderProps = {
  call: ToolCall;
  titleId: string;
  name: string;
  about: string | null;
  place: ReactNode;
};

/** What wants to act: with its place in a list, else with its state. */
function CardHeader({ call, titleId, name, about, place }: CardHeaderProps) {
  if (place !== undefined) {
    return (
      <header>
        <ToolIcon tool={call.tool} className="absolute top-2 left-0 size-16 text-ink2" />
        <div className="flex flex-wrap items-baseline gap-x-8">
          <h2 id={titleId} className="[overflow-wrap:anywhere] text-ink2">
            <span className="font-medium text-ink">{name}</span> {about ?? <OfConnection tool={call.tool} />}
          </h2>
          {call.approval?.isNewRecipient && <span className="text-13 text-ink3 desk:ml-auto">New recipient</span>}
        </div>
        {place}
      </header>
    );
  }
  return (
    <header className="flex min-h-44 items-center gap-8 border-b border-line">
      <ToolIcon tool={call.tool} className="size-16 text-ink2" />
      <h3 id={titleId} className="flex min-w-0 flex-1 flex-wrap gap-x-8 py-10 font-medium text-ink">
        <span className="[overflow-wrap:anywhere]">{name}</span>{" "}
        {call.approval?.isNewRecipient && <span className="text-13 font-normal text-ink2">New recipient, so it waits</span>}
      </h3>
      <span className="flex shrink-0 items-center gap-8 text-13 text-signal-ink">
        <span aria-hidden className="size-7 rounded-full bg-signal" />
        Waiting for you
      </span>
    </header>
  );
}

/** Why it asks though its person allows it always, or though it sends nothing. */
function ReasonToAsk({ call }: { call: ToolCall }) {
  return (
    <>
      {call.approval?.isAskedAgain === true && !call.approval?.isNewRecipient && (
        <p className="pt-12 text-13 text-ink2">
          You always allow this. It asks all the same, as the model has read what others wrote, which may have asked for it.
        </p>
      )}
      {isMemoryTool(call.tool) && (
        <p className="pt-12 text-13 text-ink2">It asks first, as this is sensitive or the model has read what others wrote.</p>
      )}
      {call.tool === "exaCrawl" && (
        <p className="pt-12 text-13 text-ink2">
          It asks first, as the model has read what is yours, and neither you nor a search named all of these addresses.
        </p>
      )}
    </>
  );
}

/** Whose tool it is, where it is one of the person's own connections. */
function OfConnection({ tool }: { tool: string }) {
  const category = connectedCategory(tool);
  const name = useCategories().find(({ id }) => id === category)?.name;
  return name === undefined ? null : `in ${name}`;
}

/** Says once that something waits: what is in a live region from its start is not read out. */
function Announcement({ text }: { text: string }) {
  const region = useRef<HTMLOutputElement>(null);
  useEffect(() => region.current?.replaceChildren(text), [text]);
  return <output ref={region} className="sr-only" />;
}

/** What a call would do, field by field. */
function ApprovalView({ fields }: { fields: readonly ApprovalField[] }) {
  return (
    <dl className="space-y-8">
      {fields.map(({ name, label, kind, value }) => (
        <div key={name} className="desk:grid desk:grid-cols-[72px_1fr] desk:gap-x-16">
          <dt className={cx("truncate py-3 text-13 leading-[22px] text-ink3", kind === "list" && "desk:py-6")} title={label}>
            {label}
          </dt>
          <dd className="min-w-0 py-3 [overflow-wrap:anywhere] text-ink">
            {kind === "list" ? (
              <ul className="flex flex-wrap gap-6">
                {value.split("\n").map((entry) => (
                  <li key={entry} className="inline-flex min-h-28 items-center rounded-8 bg-s3 px-8 text-14">
                    {entry}
                  </li>
                ))}
              </ul>
            ) : kind === "json" ? (
              <pre className="font-mono text-13 leading-[22px] whitespace-pre-wrap">{value}</pre>
            ) : kind === "text" ? (
              <Prose text={value} />
            ) : (
              <p className="leading-[22px] font-medium">{groupedNumber(value)}</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text in its paragraphs. */
function Prose({ text }: { text: string }) {
  return (
    <div className="space-y-12 text-15 whitespace-pre-wrap">
      {withIndexKeys(text.split(/\n{2,}/)).map(({ key, part }) => (
        <p key={key}>{part}</p>
      ))}
    </div>
  );
}

/** A decision, with what an approval adds to the call's input. */
type Word = { decision: ToolDecision; more?: Readonly<Record<string, unknown>> | undefined };

/** A call that waits for this person's word: its edits, kept in this browser until they are sent, and how to give the word. */
function useApproval(chatId: string, waiting: ToolCall, onDecided?: (callId: string, decision: ToolDecision | null) => void) {
  const storedEdits = stored<FieldEdits>(`approval:${waiting.id}`, z.record(z.string(), z.string()), {});
  const [edits, setEdits] = useState(storedEdits.read);
  const [problem, setProblem] = useState<{ field: string; error: string } | null>(null);

  const decide = useMutation({
    mutationFn: ({ decision, more }: Word) => {
      const changed = realEdits(waiting.input, edits);
      const isAsWritten = decision === "discard" || (Object.keys(changed).length === 0 && !more);
      const edited = isAsWritten ? null : applyEdits(waiting.input, changed);
      return callApi(decideToolCall, {
        params: { id: chatId, callId: waiting.id },
        body: { decision, ...(edited?.ok && { input: { ...edited.input, ...more } }) },
      });
    },
    onSuccess: (_answer, { decision }) => {
      storedEdits.remove();
      onDecided?.(waiting.id, decision);
      return queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
    },
    onError: (error) => {
      // Decided elsewhere: what became of it is shown in the card's place.
      if (error instanceof ApiError && error.code === "ALREADY_DECIDED") {
        storedEdits.remove();
        onDecided?.(waiting.id, null);
        void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
      }
    },
  });

  const edit = (name: string, text: string) => {
    const next = realEdits(waiting.input, { ...edits, [name]: text });
    setEdits(next);
    setProblem(null);
    decide.reset();
    if (Object.keys(next).length === 0) storedEdits.remove();
    else storedEdits.write(next);
  };

  return {
    edits,
    edit,
    /** Takes all edits back. */
    undo: () => {
      setEdits({});
      setProblem(null);
      storedEdits.remove();
    },
    give: (decision: ToolDecision, more?: Word["more"]) => {
      const edited = applyEdits(waiting.input, edits);
      if (decision !== "discard" && !edited.ok) return setProblem(edited);
      return decide.mutate({ decision, more });
    },
    /** What was decided and is on its way, and with what besides. */
    pending: decide.isPending || decide.isSuccess ? (decide.variables?.decision ?? null) : null,
    pendingMore: decide.isPending || decide.isSuccess ? decide.variables?.more : undefined,
    /** What cannot be sent as it stands. */
    problem,
    failure: decide.error?.message ?? null,
  };
}
