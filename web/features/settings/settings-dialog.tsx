import { Blocks, CircleUserRound, SunMedium, Users, Wrench } from "lucide-react";
import type { ComponentType } from "react";
import { UnknownVisitor } from "#web/features/session/unknown-visitor.tsx";
import { useSession } from "#web/features/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/tabs.tsx";
import { useIsBelowMobile } from "#web/ui/use-is-mobile.ts";
import { AppearanceTab } from "./appearance-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { TeamsTab } from "#web/features/teams/teams-tab.tsx";
import { type SettingsTab, useSettings } from "./use-settings.ts";
import { AllowlistEditor } from "#web/features/models/allowlist-editor.tsx";
import { TabHeading } from "./tab-heading.tsx";
import { ToolsPane } from "#web/features/tools/tools-pane.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const TABS = [
  { id: "general", label: "General", icon: CircleUserRound, Pane: GeneralTab, needsAccount: true },
  { id: "models", label: "Models", icon: Blocks, Pane: ModelsTab, needsAccount: true },
  { id: "appearance", label: "Appearance", icon: SunMedium, Pane: AppearanceTab, needsAccount: false },
  { id: "tools", label: "Tools", icon: Wrench, Pane: ToolsTab, needsAccount: true },
  { id: "teams", label: "Teams", icon: Users, Pane: TeamsTab, needsAccount: false },
] as const satisfies readonly { id: SettingsTab; label: string; icon: unknown; Pane: ComponentType; needsAccount: boolean }[];

/** The settings: a dialog with its tabs at the left, a drawer with its tabs on top on phones. */
export default function SettingsDialog({ open }: { open: boolean }) {
  const settings = useSettings();
  const isDrawer = useIsBelowMobile();
  const { status, isUnknown } = useSession();
  const tabs = TABS.filter((tab) => status === "user" || !tab.needsAccount);
  const value = tabs.find((tab) => tab.id === settings.tab)?.id ?? tabs[0]?.id ?? "appearance";
  const onOpenChange = (next: boolean) => !next && settings.close();
  const select = (next: string) => {
    const tab = tabs.find(({ id }) => id === next);
    // A tab that goes with its owner hands the choice to one that is left, which nobody made.
    if (tab && open && tabs.some(({ id }) => id === settings.tab)) settings.change(tab.id);
  };
  const panes = tabs.map(({ id, Pane }) => (
    <TabPanel
      key={id}
      value={id}
      className={cx("@container flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto", isDrawer && "pb-(--safe-bottom)")}
    >
      {isUnknown && id !== "teams" && <UnknownVisitor className="px-20 pt-20 text-14 min-[768px]:pr-56 desk:pl-24" />}
      <ErrorBoundary what="This tab">
        <Pane />
      </ErrorBoundary>
    </TabPanel>
  ));

  if (isDrawer) {
    return (
      <Drawer open={open} onOpenChange={onOpenChange} side="bottom" title="Settings" back={false} className="h-664">
        <Tabs value={value} onValueChange={select} className="flex min-h-0 flex-1 flex-col">
          <TabList
            label="Settings"
            className="flex shrink-0 gap-4 overflow-x-auto border-b border-line px-8 [scrollbar-width:none] [&>button]:px-10"
          >
            {tabs.map(({ id, label }) => (
              <Tab key={id} value={id}>
                {label}
              </Tab>
            ))}
          </TabList>
          {panes}
        </Tabs>
      </Drawer>
    );
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Settings" hideTitle bare width={960} height={704} back={false}>
      <Tabs value={value} onValueChange={select} orientation="vertical" className="flex min-w-0 flex-1">
        <div className="flex w-208 shrink-0 flex-col bg-s1 px-12">
          <p aria-hidden className="px-8 pt-20 pb-20 font-serif text-21 text-ink">
            Settings
          </p>
          <TabList label="Settings" className="flex flex-col">
            {tabs.map(({ id, label, icon }) => (
              <Tab key={id} value={id} icon={icon} row>
                {label}
              </Tab>
            ))}
          </TabList>
        </div>
        {panes}
      </Tabs>
    </Dialog>
  );
}

/** Which models appear in the selector. */
function ModelsTab() {
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-16 min-[768px]:pt-20">
      <div className="px-20 min-[768px]:mb-16 desk:px-24">
        <TabHeading title="Models">Only the models you tick here appear in the selector. Auto is always among them.</TabHeading>
      </div>
      <AllowlistEditor />
    </div>
  );
}

const Integrations = lazyPart(async () => (await import("#web/features/integrations/integrations.tsx")).Integrations);

/** What models may do besides writing. */
function ToolsTab() {
  return (
    <div className="px-20 py-20 desk:px-24">
      <TabHeading title="Tools">Which tools new chats start with, and which of them models may use at all.</TabHeading>
      <div className="min-[768px]:mt-20">
        <ToolsPane />
      </div>
      <Integrations />
    </div>
  );
}
