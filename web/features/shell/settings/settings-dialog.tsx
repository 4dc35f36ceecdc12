import { Blocks, CircleUserRound, SunMedium, Users, Wrench } from "lucide-react";
import { type ComponentType, useState } from "react";
import { UnknownVisitor } from "#web/features/people/session/unknown-visitor.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { Tab, TabList, TabPanel, Tabs, TabHeading } from "#web/ui/tabs.tsx";
import { useIsBelowMobile } from "#web/ui/use-is-mobile.ts";
import { AppearanceTab } from "./appearance-tab.tsx";
import { TeamsTab } from "#web/features/people/teams/teams-tab.tsx";
import { type SettingsPlace, type SettingsTab, useSettings } from "#web/features/people/settings/use-settings.ts";
import { OwnUsage } from "#web/features/conversation/team-usage/own-usage.tsx";
import { AllowlistEditor } from "#web/features/conversation/models/allowlist-editor.tsx";
import { ToolsPane } from "#web/features/conversation/tools/tools-pane.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { EmailsPane } from "#web/features/people/additional-emails/emails-pane.tsx";
import { GeneralList } from "./general-list.tsx";
import { NotificationsPane } from "./notifications-pane.tsx";
import { TriggeredPane } from "./triggered-pane.tsx";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { StorageView } from "#web/features/conversation/credits/storage-view.tsx";
import { UsageView } from "#web/features/conversation/credits/usage-view.tsx";
import type { User } from "#shared/entities/user.ts";
import { DISPLAY_NAME_LENGTH } from "#shared/limits.ts";
import { PictureField } from "#web/features/people/profile-picture/picture-field.tsx";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";

const MemoryPane = lazyPart(async () => (await import("#web/features/library/memory/memory-pane.tsx")).default);
const ApiKeysPane = lazyPart<object>(async () => (await import("#web/features/people/api-keys/api-keys-pane.tsx")).default);
const LinkedPane = lazyPart<object>(async () => (await import("#web/features/people/linked-sign-ins/linked-pane.tsx")).default);
const OwnSessionsPane = lazyPart<object>(async () => (await import("#web/features/people/session/own-sessions-pane.tsx")).default);
const YourDataPane = lazyPart<object>(async () => (await import("#web/features/account/account-data/your-data-pane.tsx")).default);
const ImportPane = lazyPart<object>(async () => (await import("#web/features/library/memory/import-pane.tsx")).default);

/** The person and all that is set up once: a list, and a pane for what needs more than a row. */
function GeneralTab() {
  const { user } = useSession();
  const { place } = useSettings();
  const [way, setWay] = useState<{ here: SettingsPlace | null; before: SettingsPlace | null }>({ here: place, before: null });
  if (way.here !== place) setWay({ here: place, before: way.here });
  if (!user) return null;
  switch (place) {
    case "profile":
      return <ProfilePane key={user.id} user={user} />;
    case "triggered":
      return <TriggeredPane user={user} />;
    case "emails":
      return (
        <SubPane title="Email setup" about="Mail that you send to a chat is taken as yours from each of these addresses.">
          <EmailsPane key={user.id} user={user} />
        </SubPane>
      );
    case "notifications":
      return <NotificationsPane user={user} />;
    case "memory":
      return <MemoryPane key={user.id} user={user} />;
    case "memory-import":
      return <ImportPane key={user.id} />;
    case "keys":
      return <ApiKeysPane key={user.id} />;
    case "signins":
      return <LinkedPane key={user.id} />;
    case "browsers":
      return <OwnSessionsPane key={user.id} />;
    case "data":
      return <YourDataPane key={user.id} />;
    case "usage":
      return <UsagePane />;
    default:
      return <GeneralList user={user} cameFrom={way.before} />;
  }
}

/** What was spent, and what the files take. */
function UsagePane() {
  return (
    <SubPane title="Credits and usage">
      <div className="space-y-32">
        <ErrorBoundary what="The usage">
          <UsageView />
        </ErrorBoundary>
        <ErrorBoundary what="The storage">
          <StorageView />
        </ErrorBoundary>
      </div>
    </SubPane>
  );
}

/** The name and picture others see, and the address that signs in. */
function ProfilePane({ user }: { user: User }) {
  return (
    <SubPane title="Profile" about="Your name and picture are what people see in chats that you share with them.">
      <div className="space-y-24">
        <PictureField user={user} />
        <NameForm user={user} />
        <div>
          <p className="text-13 font-medium text-ink">Address</p>
          <p className="mt-2 text-14 break-words text-ink2">{user.email}</p>
        </div>
      </div>
    </SubPane>
  );
}

function NameForm({ user }: { user: User }) {
  const [name, setName] = useState(user.display_name);
  const save = useSaveUser();
  const changed = name.trim() !== user.display_name;
  return (
    <form
      noValidate
      className="flex items-start gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !save.isPending) {
          save.mutate({ display_name: name }, { onSuccess: ({ user: saved }) => setName(saved.display_name) });
        }
      }}
    >
      <TextField
        label="Name"
        name="display_name"
        autoComplete="name"
        className="flex-1"
        maxLength={DISPLAY_NAME_LENGTH}
        value={name}
        error={save.error?.message}
        onChange={(event) => {
          setName(event.target.value);
          save.reset();
        }}
      />
      <Button type="submit" variant={changed ? "primary" : "secondary"} className="mt-26" busy={save.isPending} disabled={!changed}>
        {save.isSuccess && !changed ? "Saved" : "Save"}
      </Button>
    </form>
  );
}

const TABS = [
  { id: "general", label: "General", icon: CircleUserRound, Pane: GeneralTab, needsAccount: true },
  { id: "models", label: "Models", icon: Blocks, Pane: ModelsTab, needsAccount: true },
  { id: "appearance", label: "Appearance", icon: SunMedium, Pane: AppearanceTab, needsAccount: false },
  { id: "tools", label: "Tools", icon: Wrench, Pane: ToolsTab, needsAccount: true },
  { id: "teams", label: "Teams", icon: Users, Pane: TeamsWithUsage, needsAccount: false },
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
  const panels = tabs.map(({ id, Pane }) => (
    <TabPanel
      key={id}
      value={id}
      className={cx("flex min-h-0 min-w-0 flex-1 flex-col overflow-x-hidden overflow-y-auto", isDrawer && "pb-(--safe-bottom)")}
    >
      {isUnknown && id !== "teams" && <UnknownVisitor className="px-20 pt-20 text-14 min-[768px]:pr-56 desk:pl-24" />}
      <ErrorBoundary what="This tab">
        <Pane />
      </ErrorBoundary>
    </TabPanel>
  ));
  const panes = <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">{panels}</div>;

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

const TeamUsagePane = lazyPart(async () => (await import("#web/features/conversation/team-usage/team-usage-pane.tsx")).TeamUsagePane);
const TEAM_USAGE = { Own: OwnUsage, Pane: TeamUsagePane };

/** The person's teams, with what each spends. */
function TeamsWithUsage() {
  return <TeamsTab usage={TEAM_USAGE} />;
}

const Integrations = lazyPart(async () => (await import("#web/features/integrations/settings/integrations.tsx")).Integrations);

/** What models may do besides writing. */
function ToolsTab() {
  return (
    <div className="beneath-bar px-20 py-20 desk:px-24">
      <TabHeading title="Tools">Which tools new chats start with, and which of them models may use at all.</TabHeading>
      <div className="min-[768px]:mt-20">
        <ToolsPane />
      </div>
      <Integrations />
    </div>
  );
}
