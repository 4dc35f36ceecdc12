import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { SETUP_URL, useSetupAddress } from "#web/features/people/settings/use-setup-address.ts";
import { useEver } from "#web/lib/use-ever.ts";

const WhatsAppDialog = lazyPart(async () => (await import("./whatsapp-dialog.tsx")).default);

/** Opens the set-up of WhatsApp when the address says so; who has not signed in does so first, and comes back to it. */
export function WhatsAppLayer() {
  const { isOpen: isAsked, close } = useSetupAddress();
  const { status, isCurrent, features } = useSession();
  const navigate = useNavigate();
  const isOpen = isAsked && status === "user" && features?.whatsapp === true;
  const used = useEver(isOpen);
  const isForStranger = isAsked && isCurrent && features !== null && !isOpen;
  const turnAway = useEffectEvent(() => {
    if (features?.whatsapp && status !== "user") void navigate(loginUrl(SETUP_URL), { replace: true });
    else close();
  });
  useEffect(() => {
    if (isForStranger) turnAway();
  }, [isForStranger]);
  return used ? <WhatsAppDialog open={isOpen} onClose={close} /> : null;
}
