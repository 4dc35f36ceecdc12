import { useMutation } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { startWhatsAppSetup, verifyWhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { WHATSAPP_CLOSE_MS } from "#shared/limits.ts";
import { setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { CodeStep } from "./code-step.tsx";
import { firstStep, nextStep } from "./number-flow.ts";
import { NumberStep } from "./number-step.tsx";
import { DEFAULT_COUNTRY, shownNumber } from "./phone-number.ts";

type NumberStepsProps = { awaited: string | null; onBack: (() => void) | null; onVerified: (number: string) => void };

/** Links a number: it is entered, proven by the code that arrives there, and said to be proven for a moment. */
export function NumberSteps({ awaited, onBack, onVerified }: NumberStepsProps) {
  const [flow, dispatch] = useReducer(nextStep, firstStep(DEFAULT_COUNTRY, awaited));
  const [refusals, setRefusals] = useState(0);
  const start = useMutation({
    mutationFn: (phoneNumber: string) => call(startWhatsAppSetup, { body: { phoneNumber } }),
    onSuccess: ({ phone_number: number }) => dispatch({ type: "sent", number, at: Date.now() }),
    onError: (error) => toast({ title: "Failed to send code", description: error.message, tone: "danger" }),
  });
  const verify = useMutation({
    mutationFn: (code: string) => call(verifyWhatsAppSetup, { body: { code } }),
    onSuccess: ({ user }) => {
      setSessionUser(user);
      void queryClient.invalidateQueries({ queryKey: keys.whatsappSetup });
      dispatch({ type: "verified" });
    },
    onError: (error) => {
      toast({ title: "Verification failed", description: error.message, tone: "danger" });
      setRefusals((before) => before + 1);
    },
  });
  const finish = useEffectEvent(() => flow.step === "verified" && onVerified(flow.number));
  const isVerified = flow.step === "verified";
  useEffect(() => {
    if (!isVerified) return undefined;
    const timer = setTimeout(finish, WHATSAPP_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [isVerified]);
  switch (flow.step) {
    case "number":
      return (
        <NumberStep
          draft={flow.draft}
          isSending={start.isPending}
          onDraft={(draft) => dispatch({ type: "drafted", draft })}
          onSend={(number) => start.mutate(number)}
          onBack={onBack}
        />
      );
    case "code":
      return (
        <CodeStep
          number={flow.number}
          code={flow.code}
          sentAt={flow.sentAt}
          isVerifying={verify.isPending}
          isSending={start.isPending}
          refusals={refusals}
          onCode={(code) => dispatch({ type: "code_typed", code })}
          onVerify={(code) => verify.mutate(code)}
          onSendAgain={() => start.mutate(flow.number)}
          onBack={() => dispatch({ type: "back" })}
        />
      );
    case "verified":
      return (
        <output className="flex shrink-0 flex-col items-center gap-12 px-24 pt-20 pb-40 text-center">
          <span className="flex size-48 items-center justify-center rounded-full bg-accent text-accent-ink">
            <Check aria-hidden className="size-24" />
          </span>
          <span className="text-16 font-medium text-ink">Verified</span>
          <span className="text-14 text-ink2 tabular-nums">{shownNumber(flow.number)}</span>
        </output>
      );
  }
}
