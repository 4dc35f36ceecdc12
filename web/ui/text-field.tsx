import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

/** What stands under a field. */
export type Notes = {
  /** What is wrong, in the server's words where it said so. */
  error?: string | null | undefined;
  hint?: ReactNode;
};

type TextFieldProps = Omit<ComponentProps<"input">, "size"> &
  Notes & {
    label: string;
    size?: "md" | "touch";
    hideLabel?: boolean;
  };

/** The look of a one-line field; a focused field's border gives way to the ring. */
export const fieldClass =
  "w-full rounded-8 border border-line-strong bg-s2 px-11 text-ink transition-colors duration-120 focus-visible:border-line aria-invalid:border-danger";

export function TextField({ label, error, hint, size = "md", hideLabel = false, className, id, ...rest }: TextFieldProps) {
  const own = useId();
  const field = id ?? own;
  return (
    <div className={className}>
      <label htmlFor={field} className={cx("mb-6 block text-13 font-medium text-ink", hideLabel && "sr-only")}>
        {label}
      </label>
      <input
        id={field}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(field, { error, hint })}
        className={cx(fieldClass, size === "touch" ? "h-44 text-15" : "h-36 text-14 touch:h-44")}
        {...rest}
      />
      <FieldNotes field={field} error={error} hint={hint} />
    </div>
  );
}

/** The ids of the notes under a field, for its `aria-describedby`. */
export function describedBy(field: string, { error, hint }: Notes): string | undefined {
  return [error ? `${field}-error` : "", hint ? `${field}-hint` : ""].filter(Boolean).join(" ") || undefined;
}

/** Says under a field what is wrong, and what it is for. */
export function FieldNotes({ field, error, hint }: Notes & { field: string }) {
  return (
    <>
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
    </>
  );
}
