import { useDeferredValue, useId, useRef } from "react";
import { parseTemplate } from "#shared/library/prompt-template.ts";
import { useAutosize } from "#web/features/composer/use-autosize.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { contentFacts } from "./content-facts.ts";

/** Longer texts are written without marks, as each key would draw all of them again. */
const MARKED_LENGTH = 20_000;

/** The same letters in the same places as those of the field: what is marked lies under them. */
const textClass =
  "px-11 py-8 text-14 leading-20 touch:text-16 touch:leading-24 whitespace-pre-wrap break-words [scrollbar-gutter:stable] not-supports-[scrollbar-gutter:stable]:overflow-y-scroll";

type ContentFieldProps = { value: string; error: string | undefined; readOnly: boolean; onChange: (value: string) => void };

/** What a prompt says, with its places marked, and below it what they mean. */
export function ContentField({ value, error, readOnly, onChange }: ContentFieldProps) {
  const id = useId();
  const marks = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  const drawn = useDeferredValue(value);
  return (
    <div className="mt-16">
      <div className="mb-6 flex items-baseline gap-8 text-13">
        <label htmlFor={id} className="min-w-0 flex-1 font-medium text-ink">
          Content
        </label>
        <span className="text-12 text-ink2 tabular-nums">{`${value.length.toLocaleString("en")} characters`}</span>
      </div>
      <div className="relative rounded-8 bg-s2">
        <div
          ref={marks}
          aria-hidden
          className={cx(textClass, "absolute inset-0 overflow-hidden border border-transparent text-transparent")}
        >
          {drawn.length <= MARKED_LENGTH && <Marked text={drawn} />}
        </div>
        <textarea
          ref={field}
          id={id}
          dir="auto"
          readOnly={readOnly}
          spellCheck={!readOnly}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${error ? `${id}-error ` : ""}${id}-hint`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => marks.current?.scrollTo({ top: event.currentTarget.scrollTop })}
          className={cx(fieldClass, textClass, "relative block max-h-320 min-h-192 resize-none bg-transparent! [field-sizing:content]")}
        />
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-6 text-13 text-danger">
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-6 text-12 text-ink2">
        <Facts content={drawn} />
      </p>
    </div>
  );
}

function Marked({ text }: { text: string }) {
  // A part has no identity but its place. The line after the last break has to be as high as the field's.
  const parts = parseTemplate(text).map((part, index) => {
    const key = `${index} ${part.kind}`;
    if (part.kind === "text") return <span key={key}>{part.text}</span>;
    const look = part.kind === "variable" ? "bg-accent-soft outline-accent-soft" : "bg-s3 outline-s3";
    return (
      <mark key={key} className={cx("rounded-[3px] text-transparent outline-2", look)}>
        {part.text}
      </mark>
    );
  });
  return (
    <>
      {parts}
      {"\n"}
    </>
  );
}

function Facts({ content }: { content: string }) {
  const { asks, fills, steps } = contentFacts(content);
  return (
    <>
      {asks.length === 0 ? (
        "Write {{name}} where something is to be asked for."
      ) : (
        <>
          Asks for{" "}
          {asks.map((name, index) => (
            <span key={name}>
              {index === 0 ? "" : index === asks.length - 1 ? " and " : ", "}
              <b className="font-medium text-ink">{name}</b>
            </span>
          ))}
          {asks.length === 1 ? ", once." : ", once each."}
        </>
      )}
      {fills !== null && ` ${fills}`}
      {steps > 1 ? ` Runs in ${steps} steps.` : " A line of --- begins the next step."}
    </>
  );
}
