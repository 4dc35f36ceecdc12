import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { CallPriceProps } from "#web/features/runs/call-price.tsx";
import { isMemoryTool } from "#shared/memory-tools.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ApprovalEdit } from "./approval-edit.tsx";
import { fieldsOf } from "./approval-fields.ts";
import { ApprovalView } from "./approval-view.tsx";
import { presenterOf } from "./presenters/registry.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { readable } from "./tool-input.ts";
import { useApproval } from "./use-approval.ts";

const CallPrice = lazyPart<CallPriceProps>(async () => (await import("#web/features/runs/call-price.tsx")).CallPrice);

type ApprovalCardProps = {
  chatId: string;
  call: ToolCall;
  /** The card goes while the focus is in it. */
  onFocusLost: (callId: string) => void;
  /** It stands in a list of such cards, which is no landmark each. */
  isListed?: boolean;
  /** It was decided, here or before elsewhere. */
  onDecided?: (callId: string) => void;
};

/** What a tool is about to do outside, before it does: seen, edited, approved or discarded by the person whose turn it is. */
export function ApprovalCard({ chatId, call, onFocusLost, onDecided, isListed = false }: ApprovalCardProps) {
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const held = card.current;
    return () => {
      if (held?.contains(document.activeElement)) onFocusLost(call.id);
    };
  }, [call.id, onFocusLost]);
  const approval = useApproval(chatId, call, onDecided);
  const [isEditing, setIsEditing] = useState(Object.keys(approval.edits).length > 0);
  const [isAlways, setIsAlways] = useState(false);
  const { pending } = approval;
  const isAskedAgain = call.approval?.isAskedAgain === true;
  const { name, labels = {} } = presenterOf(call.tool);
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
      className="my-8 rounded-12 border border-line bg-s2 text-14"
    >
      <Announcement text={`${name} is waiting for you`} />
      <header className="flex min-h-44 items-center gap-8 border-b border-line px-16">
        <ToolIcon tool={call.tool} className="size-16 text-ink2" />
        <h3 id={titleId} className="min-w-0 flex-1 truncate font-medium text-ink">
          {name}
          {call.approval?.isNewRecipient && <span className="ml-8 text-13 font-normal text-ink2">New recipient, so it waits</span>}
        </h3>
        <span className="flex shrink-0 items-center gap-8 text-13 text-signal-ink">
          <span aria-hidden className="size-7 rounded-full bg-signal" />
          Waiting for you
        </span>
      </header>
      {isAskedAgain && !call.approval?.isNewRecipient && (
        <p className="px-16 pt-12 text-13 text-ink2">
          You always allow this. It asks all the same, as the model has read what others wrote, which may have asked for it.
        </p>
      )}
      {isMemoryTool(call.tool) && (
        <p className="px-16 pt-12 text-13 text-ink2">It asks first, as this is sensitive or the model has read what others wrote.</p>
      )}
      <div className="px-16 pt-14 pb-4">
        {fields.length === 0 ? (
          <pre className="font-mono text-13 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">{readable(call.input)}</pre>
        ) : isEditing ? (
          <ApprovalEdit fields={fields} problem={approval.problem} isDisabled={pending !== null} onEdit={approval.edit} />
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
      {approval.failure && (
        <p role="alert" className="px-16 pt-8 text-13 text-danger">
          {approval.failure}
        </p>
      )}
      <footer className="flex flex-wrap items-center gap-8 px-16 py-12">
        <Button
          variant="primary"
          busy={pending === "approve" || pending === "always"}
          disabled={pending === "discard"}
          onClick={() => approval.give(isAlways ? "always" : "approve")}
        >
          Approve
        </Button>
        {fields.length > 0 && (
          <Button disabled={pending !== null} onClick={toggle}>
            {isEditing ? "Undo edits" : "Edit"}
          </Button>
        )}
        <Button
          variant="quiet"
          busy={pending === "discard"}
          disabled={pending === "approve" || pending === "always"}
          onClick={() => approval.give("discard")}
        >
          Discard
        </Button>
        {!isAskedAgain && !isMemoryTool(call.tool) && call.tool !== "gmailSend" && (
          <span className="text-13 desk:ml-auto">
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

/** Says once that something waits: what is in a live region from its start is not read out. */
function Announcement({ text }: { text: string }) {
  const region = useRef<HTMLOutputElement>(null);
  useEffect(() => region.current?.replaceChildren(text), [text]);
  return <output ref={region} className="sr-only" />;
}
