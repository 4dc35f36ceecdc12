import { LedgerLink } from "#web/ui/ledger-link.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { useInstallOffer } from "./install-offer.ts";

const LABEL = "Install app";

/** The way to install the application, where the browser has one. */
export function InstallRow() {
  const offer = useInstallOffer();
  if (offer.kind === "none") return null;
  if (offer.kind === "by-hand") return <LedgerRow label={LABEL} description="In the browser's Share menu, choose “Add to Home Screen”" />;
  return <LedgerLink label={LABEL} description="In a window of its own, offline too" value="Install" onClick={offer.ask} />;
}
