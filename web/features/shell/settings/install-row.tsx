import { LedgerLink, LedgerRow } from "#web/ui/ledger.tsx";
import { useEffect, useState } from "react";
import { isApplePhone } from "#web/lib/device.ts";

/** What a browser offers to install the application by; the script in index.html keeps it, as it comes before the code that needs it. */
type InstallPrompt = Event & { prompt: () => Promise<unknown> };

declare global {
  // oxlint-disable-next-line no-var -- how a global of the page's is declared
  var installPrompt: InstallPrompt | undefined;
}

/** `ask` opens the browser's own question; `by-hand` is an iPhone or iPad, where only the person adds it. */
type InstallOffer = { kind: "ask"; ask: () => void } | { kind: "by-hand" } | { kind: "none" };

/** How this browser lets the application be installed; `none` where it cannot be, or is already. */
function useInstallOffer(): InstallOffer {
  const [prompt, setPrompt] = useState(globalThis.installPrompt);
  useEffect(() => {
    const reread = () => setPrompt(globalThis.installPrompt);
    // After the page's own script has kept it, which listens from the start.
    addEventListener("beforeinstallprompt", reread);
    addEventListener("appinstalled", reread);
    return () => {
      removeEventListener("beforeinstallprompt", reread);
      removeEventListener("appinstalled", reread);
    };
  }, []);
  if (prompt) {
    const ask = () => {
      // A browser asks once with it.
      globalThis.installPrompt = undefined;
      setPrompt(undefined);
      prompt.prompt().catch(() => undefined);
    };
    return { kind: "ask", ask };
  }
  return isApplePhone() && !matchMedia("(display-mode: standalone)").matches ? { kind: "by-hand" } : { kind: "none" };
}

const LABEL = "Install app";

/** The way to install the application, where the browser has one. */
export function InstallRow() {
  const offer = useInstallOffer();
  if (offer.kind === "none") return null;
  if (offer.kind === "by-hand") return <LedgerRow label={LABEL} description="In the browser's Share menu, choose “Add to Home Screen”" />;
  return <LedgerLink label={LABEL} description="In a window of its own, offline too" value="Install" onClick={offer.ask} />;
}
