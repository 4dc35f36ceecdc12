import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { getWhatsAppSetup, startWhatsAppSetup, verifyWhatsAppSetup, type WhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { LinkedNumber } from "./linked-number.tsx";
import { DEFAULT_COUNTRY, shownNumber } from "./phone-number.ts";
import { Check } from "lucide-react";
import { WHATSAPP_CLOSE_MS } from "#shared/limits.ts";
import { setSessionUser } from "#web/features/people/session/use-session.ts";
import { CodeStep } from "./code-step.tsx";
import { firstStep, nextStep } from "./number-flow.ts";
import { NumberStep } from "./number-step.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

/** On phones high enough for the list of countries, in every step alike. */
const DRAWER_PX = 664;

/** Links a number of WhatsApp to the account, and shows the one that is linked. */
export default function WhatsAppDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const isMobile = useIsMobile();
  // Each opening begins anew; while it closes, what it shows stays.
  const [opening, setOpening] = useState({ open, count: 0 });
  if (opening.open !== open) setOpening({ open, count: opening.count + (open ? 1 : 0) });
  const setup = useQuery({
    queryKey: [...keys.whatsappSetup, opening.count],
    queryFn: () => call(getWhatsAppSetup, {}),
    enabled: open,
    gcTime: 0,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      back={false}
      title="Set up WhatsApp"
      width={440}
      bare
      {...(isMobile && { height: DRAWER_PX })}
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto">
        {setup.data ? (
          <Setup key={opening.count} setup={setup.data} onClose={onClose} />
        ) : setup.isError ? (
          <div role="alert" className="px-24 pt-4 pb-24 text-14 text-danger">
            <p>Your number could not be loaded. {setup.error.message}</p>
            <TryAgain size="md" className="mt-12" onClick={() => void setup.refetch()} />
          </div>
        ) : (
          <div className="space-y-12 px-24 pt-4 pb-40">
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-44 w-full" />
          </div>
        )}
        {setup.data?.simulated && (
          <p className="mt-auto shrink-0 px-24 pb-20 text-13 text-ink3">
            Local mode: WhatsApp is the{" "}
            <a href="/dev/phone" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
              local phone
            </a>
            .
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Setup({ setup, onClose }: { setup: WhatsAppSetup; onClose: () => void }) {
  const { phone_number: linked, awaited_number: awaited, write_to: writeTo } = setup;
  const [view, setView] = useState<"linked" | "steps">(linked === null ? "steps" : "linked");
  if (view === "linked" && linked !== null) {
    return <LinkedNumber number={linked} writeTo={writeTo} onChange={() => setView("steps")} onUnlinked={() => setView("steps")} />;
  }
  return (
    <NumberSteps
      awaited={awaited}
      onBack={linked === null ? null : () => setView("linked")}
      onVerified={() => {
        onClose();
        if (writeTo === null) return;
        toast({
          title: "WhatsApp is set up",
          description: `Write to ${shownNumber(writeTo)} to begin a chat.`,
          tone: "success",
        });
      }}
    />
  );
}

type NumberStepsProps = { awaited: string | null; onBack: (() => void) | null; onVerified: (number: string) => void };

/** Links a number: it is entered, proven by the code that arrives there, and said to be proven for a moment. */
function NumberSteps({ awaited, onBack, onVerified }: NumberStepsProps) {
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
