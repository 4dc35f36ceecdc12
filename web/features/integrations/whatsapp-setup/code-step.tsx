import { useEffect, useRef, useState } from "react";
import { CODE_LENGTH, CODE_MIN_LENGTH, WHATSAPP_RESEND_S } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { shownNumber } from "./phone-number.ts";

/** Whole seconds until another code may be asked for. */
function useCountdown(sentAt: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((sentAt - now) / 1_000) + WHATSAPP_RESEND_S;
  return Math.min(WHATSAPP_RESEND_S, Math.max(0, seconds));
}

type CodeStepProps = {
  number: string;
  code: string;
  sentAt: number;
  isVerifying: boolean;
  isSending: boolean;
  /** Counts refusals: what was typed is marked, to be typed over. */
  refusals: number;
  onCode: (code: string) => void;
  onVerify: (code: string) => void;
  onSendAgain: () => void;
  onBack: () => void;
};

/** Takes the code that arrived in the app; the last digit sends it. */
export function CodeStep({ number, code, sentAt, isVerifying, isSending, refusals, onCode, onVerify, onSendAgain, onBack }: CodeStepProps) {
  const field = useRef<HTMLInputElement>(null);
  const seconds = useCountdown(sentAt);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (refusals > 0) field.current?.select();
  }, [refusals]);
  const canVerify = code.length >= CODE_MIN_LENGTH;
  const submit = (given: string) => {
    if (!isVerifying && given.length >= CODE_MIN_LENGTH) onVerify(given);
  };
  return (
    <form
      noValidate
      className="shrink-0 px-24 pt-4 pb-24"
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <p className="text-14 text-ink2 max-desk:text-15">
        We sent a 6-digit code to <strong className="font-medium whitespace-nowrap text-ink">{shownNumber(number)}</strong> on WhatsApp.
      </p>
      <TextField
        ref={field}
        label="Code"
        name="code"
        size="touch"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="6-digit code"
        className="mt-16 tabular-nums"
        value={code}
        onChange={(event) => {
          const next = event.target.value.replaceAll(/\D/g, "").slice(0, CODE_LENGTH);
          onCode(next);
          if (next.length === CODE_LENGTH && next !== code) submit(next);
        }}
      />
      <div className="mt-6 flex min-h-32 items-center touch:min-h-44">
        {seconds > 0 ? (
          <p className="text-13 text-ink2 tabular-nums">{`A new code can be sent in ${clock(seconds)}`}</p>
        ) : (
          <Button variant="quiet" size="sm" className="-ml-12" busy={isSending} onClick={onSendAgain}>
            Send a new code
          </Button>
        )}
      </div>
      <Button type="submit" variant="primary" size="touch" className="mt-8 w-full" busy={isVerifying} disabled={!canVerify}>
        Verify
      </Button>
      <Button variant="quiet" size="touch" className="mt-8 w-full" onClick={onBack}>
        Change the number
      </Button>
    </form>
  );
}

/** Seconds as a clock shows them: `0:42`, `1:00`. */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
