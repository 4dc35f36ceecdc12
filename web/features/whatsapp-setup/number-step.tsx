import { useEffect, useId, useRef, useState } from "react";
import { APP_NAME } from "#shared/app.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { CountryButton, CountryList } from "./country-picker.tsx";
import type { NumberDraft } from "./number-flow.ts";
import { countryOf, exampleOf, readNumber } from "./phone-number.ts";

type NumberStepProps = {
  draft: NumberDraft;
  isSending: boolean;
  onDraft: (draft: NumberDraft) => void;
  onSend: (number: string) => void;
  /** Leads back to the linked number, where there is one. */
  onBack: (() => void) | null;
};

/** Asks for the number that one writes from. */
export function NumberStep({ draft, isSending, onDraft, onSend, onBack }: NumberStepProps) {
  const id = useId();
  const isMobile = useIsMobile();
  const field = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isListed = isPicking && isMobile;
  useEffect(() => field.current?.focus(), []);
  const endPicking = () => {
    setIsPicking(false);
    field.current?.focus();
  };
  const submit = () => {
    const read = readNumber(draft.text, draft.country);
    if (read.ok) return onSend(read.number);
    setError(read.error);
    field.current?.focus();
    return undefined;
  };
  const list = isPicking && anchor && (
    <CountryList
      anchor={anchor}
      country={draft.country}
      onPick={(country) => {
        onDraft({ ...draft, country });
        setError(null);
        endPicking();
      }}
      onClose={endPicking}
    />
  );
  return (
    <>
      <form
        noValidate
        className={cx("shrink-0 px-24 pt-4", isListed ? "border-b border-line pb-16" : "pb-24")}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) submit();
        }}
      >
        <p className="text-14 text-pretty text-ink2 max-desk:text-15">
          {`Write to ${APP_NAME} from WhatsApp. What you write there goes on in a chat of its own.`}
        </p>
        <label htmlFor={id} className="mt-16 mb-6 block text-13 font-medium text-ink">
          Phone number
        </label>
        <div className="flex gap-8">
          <CountryButton country={draft.country} isOpen={isPicking} onToggle={() => setIsPicking(!isPicking)} ref={setAnchor} />
          <input
            ref={field}
            id={id}
            name="tel"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            placeholder={exampleOf(draft.country)}
            value={draft.text}
            aria-required
            aria-invalid={error !== null || undefined}
            aria-describedby={error === null ? undefined : `${id}-error`}
            onChange={({ target: { value: text } }) => {
              setError(null);
              onDraft({ country: countryOf(text) ?? draft.country, text });
            }}
            className={cx(fieldClass, "h-44 min-w-0 flex-1 text-15 tabular-nums touch:text-16")}
          />
        </div>
        {error !== null && (
          <p id={`${id}-error`} role="alert" className="mt-6 text-13 text-danger">
            {error}
          </p>
        )}
        {!isListed && (
          <>
            <Button type="submit" variant="primary" size="touch" busy={isSending} className="mt-16 w-full">
              Send code
            </Button>
            {onBack && (
              <Button variant="quiet" size="touch" className="mt-8 w-full" onClick={onBack}>
                Back
              </Button>
            )}
          </>
        )}
      </form>
      {list}
    </>
  );
}
