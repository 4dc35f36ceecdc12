import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getWhatsAppSetup, type WhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { LinkedNumber } from "./linked-number.tsx";
import { NumberSteps } from "./number-steps.tsx";
import { shownNumber } from "./phone-number.ts";

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
            <Button className="mt-12" onClick={() => void setup.refetch()}>
              Try again
            </Button>
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
