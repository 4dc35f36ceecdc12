import { Suspense, useEffect } from "react";
import { Outlet, useLocation } from "react-router";
import { Sidebar } from "#web/features/conversation/sidebar/sidebar.tsx";
import { PANE_ENDS } from "#web/features/conversation/sidebar/pane-ends.tsx";
import { TitleCount } from "#web/features/conversation/sidebar/title-count.ts";
import { useRemoveEarlyComposer } from "#web/features/conversation/composer/early-text.ts";
import { ManageLayer } from "#web/features/library/kit/manage-layer.tsx";
import { DriveButtonContext, type DriveButtonProps } from "#web/features/library/knowledge/drive-button-context.ts";
import { followRefusals } from "#web/features/people/session/prove-again.ts";
import { SearchLayer } from "#web/features/conversation/search/search-layer.tsx";
import { SettingsLayer } from "#web/features/shell/settings/settings-layer.tsx";
import { ShortcutsLayer } from "#web/features/shell/shortcuts/shortcuts-layer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { PaneEndsContext } from "#web/ui/pane-header.tsx";
import { preloadOverlays } from "#web/ui/preload.ts";
import { ToastRegion } from "#web/ui/toast/toast.tsx";
import { TooltipLayer } from "#web/ui/toast/tooltip.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";

const DriveButton = lazyPart(async () => (await import("#web/features/integrations/drive/drive-button.tsx")).default);
const driveButton = (props: DriveButtonProps) => <DriveButton {...props} />;
const FreshSignIn = lazyPart(async () => (await import("#web/features/people/session/fresh-sign-in.tsx")).FreshSignIn);
const InvitesLayer = lazyPart(async () => (await import("#web/features/people/invites/invites-layer.tsx")).InvitesLayer);
const KnowledgeDialog = lazyPart(async () => (await import("#web/features/library/knowledge/knowledge-dialog.tsx")).KnowledgeDialog);
const LiveLayer = lazyPart(async () => (await import("./live-layer.ts")).LiveLayer);
const PersonasDialog = lazyPart(async () => (await import("#web/features/library/personas/personas-dialog.tsx")).PersonasDialog);
const PromptsDialog = lazyPart(async () => (await import("#web/features/conversation/prompt-settings/prompts-dialog.tsx")).PromptsDialog);
const ResearchEvents = lazyPart(async () => (await import("#web/features/conversation/research/research-toast.ts")).ResearchToast);
const WhatsAppLayer = lazyPart(async () => (await import("#web/features/integrations/whatsapp-setup/whatsapp-layer.tsx")).WhatsAppLayer);

const skipClass =
  "sr-only focus:not-sr-only focus:fixed focus:top-8 focus:left-8 focus:z-60 focus:rounded-8 focus:bg-pop focus:px-12 focus:py-8 focus:text-14 focus:text-ink focus:shadow-overlay";

/** The frame around every pane: skip links, sidebar, the pane, what floats above. */
export function AppShell() {
  const { pathname } = useLocation();
  useEffect(preloadOverlays, []);
  // Before the dialog that asks has come: what is refused until then waits for it.
  useEffect(followRefusals, []);
  useRemoveEarlyComposer();
  return (
    <div className="relative flex h-[calc(100dvh-var(--keyboard))] overflow-hidden bg-bg">
      <a href="#main" className={skipClass} onClick={(event) => focusOn(event, "main")}>
        Skip to the conversation
      </a>
      <a href="#main" className={skipClass} onClick={(event) => focusOn(event, 'textarea[aria-label="Message"]')}>
        Skip to the message box
      </a>
      <Sidebar />
      <TitleCount />
      <main id="main" tabIndex={-1} className="flex h-full min-w-0 flex-1 flex-col outline-none">
        <ErrorBoundary what="This page" resetKey={pathname}>
          <PaneEndsContext value={PANE_ENDS}>
            <Suspense>
              <Outlet />
            </Suspense>
          </PaneEndsContext>
        </ErrorBoundary>
      </main>
      <SearchLayer />
      <ShortcutsLayer />
      <DriveButtonContext value={driveButton}>
        <SettingsLayer />
        <WhenIdle>
          <InvitesLayer />
          <ManageLayer what="personas" Dialog={PersonasDialog} />
          <LiveLayer />
          <ManageLayer what="prompts" Dialog={PromptsDialog} />
          <ManageLayer what="knowledge" Dialog={KnowledgeDialog} />
          <ResearchEvents />
          <WhatsAppLayer />
          <FreshSignIn />
        </WhenIdle>
      </DriveButtonContext>
      <ToastRegion />
      <TooltipLayer />
    </div>
  );
}

function focusOn(event: React.MouseEvent, selector: string): void {
  event.preventDefault();
  const target = document.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>("main");
  target?.focus();
}
