import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import { describedBy, fieldClass, FieldNotes, type Notes } from "./text-field.tsx";

type TextAreaProps = ComponentProps<"textarea"> &
  Notes & {
    label: string;
    /** True where what stands above says it already. */
    isLabelHidden?: boolean;
    /** Beside the label, e.g. how long the text is. */
    aside?: ReactNode;
  };

/** A field of several lines with its label, in the look of `TextField`; it can be dragged higher. */
export function TextArea({ label, isLabelHidden = false, aside, error, hint, className, id, ...rest }: TextAreaProps) {
  const own = useId();
  const field = id ?? own;
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
        aria-describedby={describedBy(field, { error, hint })}
        className={cx(fieldClass, "block resize-y py-8 text-14 touch:text-16")}
        {...rest}
      />
      <FieldNotes field={field} error={error} hint={hint} />
    </div>
  );
}
