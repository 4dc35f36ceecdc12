import { useState } from "react";
import { EmailsPane } from "#web/features/additional-emails/emails-pane.tsx";
import { useSession } from "#web/features/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { GeneralList } from "./general-list.tsx";
import { NotificationsPane } from "./notifications-pane.tsx";
import { ProfilePane } from "./profile-pane.tsx";
import { TriggeredPane } from "./triggered-pane.tsx";
import { SubPane } from "./sub-pane.tsx";
import { useSettings, type SettingsPlace } from "./use-settings.ts";
import { StorageView } from "#web/features/credits/storage-view.tsx";
import { UsageView } from "#web/features/credits/usage-view.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";

const MemoryPane = lazyPart(async () => (await import("#web/features/memory/memory-pane.tsx")).default);
const ApiKeysPane = lazyPart<object>(async () => (await import("#web/features/api-keys/api-keys-pane.tsx")).default);
const LinkedPane = lazyPart<object>(async () => (await import("#web/features/linked-sign-ins/linked-pane.tsx")).default);
const OwnSessionsPane = lazyPart<object>(async () => (await import("#web/features/own-sessions/own-sessions-pane.tsx")).default);
const YourDataPane = lazyPart<object>(async () => (await import("#web/features/account-data/your-data-pane.tsx")).default);
const ImportPane = lazyPart<object>(async () => (await import("#web/features/memory/import-pane.tsx")).default);

/** The person and all that is set up once: a list, and a pane for what needs more than a row. */
export function GeneralTab() {
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
