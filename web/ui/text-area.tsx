import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import { fieldClass } from "./text-field.tsx";

type TextAreaProps = ComponentProps<"textarea"> & {
  label: string;
  /** True where what stands above says it already. */
  isLabelHidden?: boolean;
  /** Beside the label, e.g. how long the text is. */
  aside?: ReactNode;
  /** What is wrong, in the server's words where it said so. */
  error?: string | null | undefined;
  hint?: ReactNode;
};

/** A field of several lines with its label, in the look of `TextField`; it can be dragged higher. */
export function TextArea({ label, isLabelHidden = false, aside, error, hint, className, id, ...rest }: TextAreaProps) {
  const own = useId();
  const field = id ?? own;
  const described = [error ? `${field}-error` : "", hint ? `${field}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <div className={isLabelHidden ? "sr-only" : "mb-6 flex items-baseline gap-8 text-13"}>
        <label htmlFor={field} className="min-w-0 flex-1 font-medium text-ink">
          {label}
        </label>
        {aside !== undefined && <span className="text-12 text-ink2 tabular-nums">{aside}</span>}
      </div>
      <textarea
        id={field}
        dir="auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        className={cx(fieldClass, "block resize-y py-8 text-14 touch:text-16")}
        {...rest}
      />
      {error && (
        <p id={`${field}-error`} role="alert" className="mt-6 text-13 text-danger">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${field}-hint`} className="mt-6 text-13 text-ink2">
          {hint}
        </div>
      )}
    </div>
  );
}
