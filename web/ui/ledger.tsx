import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, type Ref, useId } from "react";
import { cx } from "./cx.ts";
import { fieldClass } from "./text-field.tsx";
import { TryAgain } from "./try-again.tsx";

type LedgerRowProps = {
  label: string;
  labelId?: string;
  description?: ReactNode;
  descriptionId?: string;
  error?: string | null | undefined;
  /** Asks again for what could not be loaded, which `error` says. */
  retry?: (() => void) | undefined;
  className?: string;
  /** Its name stands beside the first line of a control that has many. */
  isTall?: boolean;
  /** The control at its end. */
  children?: ReactNode;
};

/** One thing of the settings: its name, what it is for, and what changes it. */
export function LedgerRow({
  label,
  labelId,
  description,
  descriptionId,
  error,
  retry,
  className,
  isTall = false,
  children,
}: LedgerRowProps) {
  return (
    <div className={cx("border-b border-line", className)}>
      <div className={cx("flex min-h-42 gap-16 py-2 max-[767px]:min-h-52", isTall ? "items-start" : "items-center")}>
        <div
          className={cx(
            "min-w-0 flex-1 @min-[620px]:grid @min-[620px]:grid-cols-[160px_1fr] @min-[620px]:items-center @min-[620px]:gap-12",
            isTall ? "py-8 touch:py-12" : "py-4",
          )}
        >
          <p id={labelId} className="text-14 font-medium text-ink">
            {label}
          </p>
          {description && (
            <p id={descriptionId} className="text-13 text-pretty text-ink2">
              {description}
            </p>
          )}
        </div>
        {children}
      </div>
      {error && (
        <div className="flex flex-wrap items-center gap-x-12 gap-y-4 pb-8">
          <p role="alert" className="min-w-0 text-13 text-danger">
            {error}
          </p>
          {retry && <TryAgain aria-label={`Try again: ${label}`} onClick={retry} />}
        </div>
      )}
    </div>
  );
}

type LedgerPickerButtonProps = {
  ref: Ref<HTMLButtonElement>;
  /** Ids begin with it: its row's label and hint have `-label` and `-hint` behind it. */
  id: string;
  isOpen: boolean;
  onToggle: () => void;
  /** Before the value. */
  mark?: ReactNode;
  value: string;
};

/** The control of a row whose value is picked from a list. */
export function LedgerPickerButton({ ref, id, isOpen, onToggle, mark, value }: LedgerPickerButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-value ${id}-hint`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={cx(
        fieldClass,
        "flex h-32 w-212! shrink-0 items-center gap-8 text-left text-14 touch:h-44 max-[767px]:w-176! touch:text-16",
      )}
    >
      {mark}
      <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
        {value}
      </span>
      <ChevronDown aria-hidden className="size-16 text-ink2" />
    </button>
  );
}

/** Rows of settings under a label of their own, or with `label` for screen readers alone. */
export function LedgerGroup({ label, isQuiet = false, children }: { label: string; isQuiet?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={isQuiet ? "sr-only" : "flex h-32 items-end pb-2 text-12 font-medium text-ink2"}>
        {label}
      </h3>
      {children}
    </section>
  );
}

type LedgerLinkProps = {
  ref?: Ref<HTMLButtonElement>;
  label: string;
  description?: ReactNode;
  /** What it is set to, before the chevron. */
  value?: ReactNode;
  onClick: () => void;
};

/** One thing of the settings that has a pane or a dialog of its own. */
export function LedgerLink({ ref, label, description, value, onClick }: LedgerLinkProps) {
  return (
    <button
      ref={ref}
      type="button"
      onClick={onClick}
      className="group flex min-h-43 w-full items-center gap-16 border-b border-line py-6 text-left max-[767px]:min-h-52"
    >
      <span className="block min-w-0 flex-1 @min-[620px]:grid @min-[620px]:grid-cols-[160px_1fr] @min-[620px]:items-center @min-[620px]:gap-12">
        <span className="block text-14 font-medium text-ink">{label} </span>
        {description && <span className="block text-13 text-pretty text-ink2">{description}</span>}
      </span>
      <span className="flex shrink-0 items-center gap-6 text-13 text-ink2 tabular-nums transition-colors duration-120 group-hover:text-ink max-[767px]:max-w-1/2">
        <span className="truncate"> {value}</span>
        <ChevronRight aria-hidden className="size-16 shrink-0 transition-transform duration-120 group-hover:translate-x-2" />
      </span>
    </button>
  );
}
