import { ChevronDown } from "lucide-react";
import { useId, useRef } from "react";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import type { PromptField } from "./form-values.ts";

/** Choices up to this many stand side by side; more are a select. */
const RADIOS = 4;

type FieldProps = {
  field: PromptField;
  /** Enter in it sends. */
  isLast: boolean;
  value: string;
  /** Why a built-in has to be pasted. */
  note: string | null;
  onChange: (value: string) => void;
};

/** One thing that a prompt asks for: a text that grows, or one of its choices. */
export function PromptFieldView({ field, isLast, value, note, onChange }: FieldProps) {
  if (!("variable" in field) || field.variable.kind === "text") {
    const placeholder = "variable" in field ? emptyText(field) : "";
    return <TextValue label={field.label} isLast={isLast} value={value} placeholder={placeholder} note={note} onChange={onChange} />;
  }
  const { choices } = field.variable;
  return choices.length <= RADIOS ? (
    <Radios label={field.label} value={value} choices={choices} onChange={onChange} />
  ) : (
    <Choice label={field.label} value={value} choices={choices} onChange={onChange} />
  );
}

function emptyText(field: Extract<PromptField, { variable: unknown }>): string {
  const fallback = field.variable.kind === "text" ? field.variable.fallback : "";
  return fallback === "" ? `Empty stays as {{${field.label}}}` : fallback;
}

type TextValueProps = {
  label: string;
  isLast: boolean;
  value: string;
  placeholder: string;
  note: string | null;
  onChange: (value: string) => void;
};

function TextValue({ label, isLast, value, placeholder, note, onChange }: TextValueProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  return (
    <div>
      <Label htmlFor={id}>{label}</Label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={1}
        data-prompt-field
        value={value}
        placeholder={placeholder}
        aria-describedby={note === null ? undefined : `${id}-note`}
        enterKeyHint={isLast ? "send" : "next"}
        onChange={(event) => onChange(event.target.value)}
        className={cx(
          fieldClass,
          "block max-h-160 min-h-36 resize-none overflow-y-auto overscroll-contain py-7 text-14 [field-sizing:content] touch:min-h-44 touch:py-10 touch:text-16",
        )}
      />
      {note !== null && (
        <p id={`${id}-note`} className="mt-6 text-12 text-ink2">
          {note}
        </p>
      )}
    </div>
  );
}

type ChoiceProps = { label: string; value: string; choices: readonly string[]; onChange: (value: string) => void };

function Radios({ label, value, choices, onChange }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-6 text-13 font-medium text-ink">{label}</legend>
      <div className="flex flex-wrap gap-6">
        {choices.map((choice) => (
          <label
            key={choice}
            className="inline-flex min-h-32 max-w-full items-center rounded-8 border border-line-strong px-11 py-4 text-13 text-ink transition-colors duration-120 hover:bg-s3 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-soft-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent touch:min-h-44 touch:px-16"
          >
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              data-prompt-field={choice === value ? true : undefined}
              onChange={() => onChange(choice)}
              className="sr-only"
            />
            <span className="min-w-0 break-words">{choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <Label htmlFor={id}>{label}</Label>
      <span className="relative block">
        <select
          id={id}
          value={value}
          data-prompt-field
          onChange={(event) => onChange(event.target.value)}
          className={cx(fieldClass, "h-36 appearance-none pr-32 text-14 touch:h-44 touch:text-16")}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-8 size-14 -translate-y-1/2 text-ink2" />
      </span>
    </div>
  );
}

function Label({ htmlFor, children }: { htmlFor: string; children: string }) {
  return (
    <label htmlFor={htmlFor} dir="auto" className="mb-6 block text-13 font-medium break-words text-ink">
      {children}
    </label>
  );
}
