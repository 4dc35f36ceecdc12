import { type ComponentProps, useMemo, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import type { Model } from "#shared/entities/model.ts";
import { CONTEXT_SHARE } from "#shared/limits.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { cx } from "#web/ui/cx.ts";
import { Popover } from "#web/ui/menu/popover.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { contextUse, pathTokens } from "./context-use.ts";

/** Below this share the gauge has nothing to say. */
const QUIET_SHARE = 0.5;
/** Pixels around the ring that is drawn. */
const RING_LENGTH = 2 * Math.PI * 6;

export type ContextGaugeProps = { path: readonly Message[]; model: Model; name: string };

/** How full the model's context is and what the next message costs about, once that is worth knowing. */
export function ContextGauge({ path, model, name }: ContextGaugeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const use = useMemo(() => contextUse(pathTokens(path), model), [path, model]);
  if (!use || use.share < QUIET_SHARE) return null;
  const percent = Math.round(use.share * 100);
  const fullness = `Context ${percent}% full`;
  return (
    <Popover
      label="Context"
      open={isOpen}
      onOpenChange={setIsOpen}
      side="top"
      align="end"
      className="w-280"
      trigger={
        <GaugeButton share={use.share} label={use.cost === null ? fullness : `${fullness}, next message about ${formatCost(use.cost)}`} />
      }
    >
      <p className="text-13 font-medium text-ink">{fullness}</p>
      <p className="mt-4 text-13 text-ink2">
        {percent > 100
          ? `This chat is longer than ${name} can read at once.`
          : `This chat fills about ${percent}% of what ${name} can read.`}
        {use.cost !== null && ` The next message will cost about ${formatCost(use.cost)}.`}
      </p>
      <p className="mt-8 text-13 text-ink3">{`Past ${CONTEXT_SHARE * 100}% earlier messages are summarised for the model. You keep them all.`}</p>
    </Popover>
  );
}

function GaugeButton({ share, label, ...rest }: ComponentProps<"button"> & { share: number; label: string }) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(
          "inline-flex size-32 shrink-0 items-center justify-center rounded-8 transition-colors duration-120 hover:bg-s3 aria-expanded:bg-s3 touch:size-44",
          share >= CONTEXT_SHARE ? "text-signal-ink" : "text-ink2",
        )}
      >
        <svg aria-hidden viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2" className="size-16 -rotate-90 touch:size-20">
          <circle cx="8" cy="8" r="6" className="opacity-25" />
          <circle cx="8" cy="8" r="6" strokeDasharray={`${Math.min(1, share) * RING_LENGTH} ${RING_LENGTH}`} />
        </svg>
      </button>
    </Tooltip>
  );
}
