import { ChevronDown, Globe, Wrench } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";

type PickerButtonProps = ComponentProps<"button"> & {
  /** What is on; a number first where there is one. */
  text: string;
  /** What a press does. */
  hint: string;
  /** Why there is nothing to select; null where there is. It stays reachable, so the reason can be read. */
  reason: string | null;
  /** The web is searched whenever the model sees fit, whatever is on. */
  searches: boolean;
};

/** 'No tools', '1 tool', '3 tools'; on narrow phones the number alone is in sight. */
export function PickerButton({ text, hint, reason, searches, onClick, ...rest }: PickerButtonProps) {
  const choiceId = useId();
  const [, number = "", noun] = /^(\d*)(.*)/.exec(text) ?? [];
  return (
    <Tooltip label={reason ?? hint}>
      <button
        type="button"
        {...rest}
        aria-label="Select tools"
        aria-describedby={choiceId}
        aria-disabled={reason !== null || undefined}
        onClick={(event) => (reason === null ? onClick?.(event) : event.preventDefault())}
        className="inline-flex h-32 min-w-0 shrink-0 items-center gap-8 rounded-8 px-8 text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink aria-disabled:opacity-45 aria-disabled:hover:bg-transparent aria-expanded:bg-s3 aria-expanded:text-ink max-[520px]:gap-4 max-[520px]:px-6 touch:h-44"
      >
        {searches && <Globe aria-hidden className="size-14 text-ink3 max-[520px]:hidden" />}
        <Wrench aria-hidden className="size-16 touch:size-20" />
        <span id={choiceId} className="whitespace-nowrap tabular-nums">
          {number}
          <span className="max-[520px]:sr-only">{noun}</span>
          {reason !== null && <span className="sr-only">{`. ${reason}`}</span>}
        </span>
        <ChevronDown aria-hidden className="-ml-2 size-14 shrink-0 max-[520px]:hidden" />
      </button>
    </Tooltip>
  );
}
