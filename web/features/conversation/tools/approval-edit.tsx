import { type ComponentProps, useEffect, useId, useRef } from "react";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import type { ApprovalField } from "./approval-fields.ts";

type ApprovalEditProps = {
  fields: readonly ApprovalField[];
  problem: { field: string; error: string } | null;
  isDisabled: boolean;
  onEdit: (name: string, text: string) => void;
};

/** The same fields to be changed; the first one takes the focus. */
export function ApprovalEdit({ fields, problem, isDisabled, onEdit }: ApprovalEditProps) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  return (
    <div ref={form} className="space-y-12">
      {fields.map((field) => (
        <EditField
          key={field.name}
          field={field}
          error={problem?.field === field.name ? problem.error : null}
          isDisabled={isDisabled}
          onEdit={(text) => onEdit(field.name, text)}
        />
      ))}
    </div>
  );
}

type GrowingFieldProps = ComponentProps<"textarea"> & { kind: Exclude<ApprovalField["kind"], "line" | "number"> };

function GrowingField({ kind, ...shared }: GrowingFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  return (
    <textarea
      {...shared}
      ref={field}
      rows={kind === "text" ? 6 : 2}
      spellCheck={kind === "text"}
      className={cx(
        fieldClass,
        "block max-h-400 resize-y py-8 [field-sizing:content]",
        kind === "text" ? "min-h-138 text-15" : kind === "list" ? "min-h-54 text-14" : "min-h-54 font-mono text-13",
      )}
    />
  );
}

type EditFieldProps = { field: ApprovalField; error: string | null; isDisabled: boolean; onEdit: (text: string) => void };

function EditField({ field: { label, kind, value }, error, isDisabled, onEdit }: EditFieldProps) {
  const id = useId();
  const hint = kind === "list" ? "One per line" : kind === "json" ? "JSON" : null;
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const shared = {
    id,
    value,
    disabled: isDisabled,
    "aria-invalid": error !== null || undefined,
    "aria-describedby": described,
    onChange: (event: { target: { value: string } }) => onEdit(event.target.value),
  };
  return (
    <div className="desk:grid desk:grid-cols-[72px_1fr] desk:gap-x-16">
      <label
        htmlFor={id}
        className="mb-4 block truncate text-13 leading-[36px] text-ink3 max-desk:mb-0 max-desk:leading-[28px]"
        title={label}
      >
        {label}
      </label>
      <div className="min-w-0">
        {kind === "line" || kind === "number" ? (
          <input
            {...shared}
            type="text"
            inputMode={kind === "number" ? "decimal" : undefined}
            className={cx(fieldClass, "h-36 text-14 touch:h-44")}
          />
        ) : (
          <GrowingField {...shared} kind={kind} />
        )}
        {hint && (
          <p id={`${id}-hint`} className="mt-4 text-12 text-ink3">
            {hint}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} role="alert" className="mt-2 text-13 text-danger">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
