import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type TextFieldProps = Omit<ComponentProps<"input">, "size"> & {
  label: string;
  /** What is wrong, in the server's words where it said so. */
  error?: string | null | undefined;
  hint?: ReactNode;
  size?: "md" | "touch";
  hideLabel?: boolean;
};

/** The look of a one-line field; a focused field's border gives way to the ring. */
export const fieldClass =
  "w-full rounded-8 border border-line-strong bg-s2 px-11 text-ink transition-colors duration-120 focus-visible:border-line aria-invalid:border-danger";

export function TextField({ label, error, hint, size = "md", hideLabel = false, className, id, ...rest }: TextFieldProps) {
  const own = useId();
  const field = id ?? own;
  const described = [error ? `${field}-error` : "", hint ? `${field}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={field} className={cx("mb-6 block text-13 font-medium text-ink", hideLabel && "sr-only")}>
        {label}
      </label>
      <input
        id={field}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        className={cx(fieldClass, size === "touch" ? "h-44 text-15" : "h-36 text-14 touch:h-44")}
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
