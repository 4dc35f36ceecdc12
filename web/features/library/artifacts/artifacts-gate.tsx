import type { ReactNode } from "react";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { Button } from "#web/ui/button.tsx";
import { useArtifactsOn } from "./artifacts-on.ts";

/** What stands at the addresses of artifacts for whom there are none, and why; else what it holds. */
export function ArtifactsGate({ children }: { children: ReactNode }) {
  const state = useArtifactsOn();
  const settings = useSettings();
  if (state === "on") return children;
  if (state === "loading") return <PaneHeader />;
  return (
    <>
      <PaneHeader />
      <div className="mx-auto flex w-full max-w-752 flex-1 flex-col items-start justify-center gap-16 px-16 pb-[18dvh]">
        <h1 className="font-serif text-28 text-ink">{state === "sign-in" ? "Sign in required" : "Artifacts are switched off"}</h1>
        {state === "sign-in" && (
          <>
            <p className="text-15 text-ink2">Documents that you and models write together are kept for who has an account.</p>
            <LoginLink />
          </>
        )}
        {state === "off" && <p className="text-15 text-ink2">This deployment has none.</p>}
        {state === "unwanted" && (
          <>
            <p className="text-15 text-ink2">You switched them off in your settings. What you wrote is kept.</p>
            <Button variant="primary" onClick={() => settings.open("general")}>
              Open settings
            </Button>
          </>
        )}
      </div>
    </>
  );
}
