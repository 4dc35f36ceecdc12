import { type ComponentProps, useState } from "react";
import type { User } from "#shared/entities/user.ts";
import { ArtifactsSwitch } from "#web/features/artifacts/artifacts-switch.tsx";
import { AutopilotDefault } from "#web/features/autopilot/autopilot-default.tsx";
import { splitCredits } from "#web/features/credits/credits-amount.ts";
import { ImportChat } from "#web/features/import/import-chat.tsx";
import { PreferredModelField } from "#web/features/models/preferred-model-field.tsx";
import { useSession } from "#web/features/session/use-session.ts";
import { TimeZoneField } from "#web/features/time-zone/time-zone-field.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LedgerGroup } from "#web/ui/ledger-group.tsx";
import { LedgerLink } from "#web/ui/ledger-link.tsx";
import { DeeplinksRow } from "./deeplinks-row.tsx";
import { KnowledgeRow } from "./knowledge-row.tsx";
import { notificationsSummary } from "./notifications-summary.ts";
import { PersonasRow } from "./personas-row.tsx";
import { ProfileLine } from "./profile-line.tsx";
import { PromptsRow } from "./prompts-row.tsx";
import { SignOutBar } from "./sign-out-bar.tsx";
import { useTriggeredSummary } from "./triggered-summary.ts";
import { type SettingsPlace, useSettings } from "./use-settings.ts";

type FeedbackProps = ComponentProps<typeof import("#web/features/feedback/feedback-dialog.tsx").default>;

const FeedbackDialog = lazyPart<FeedbackProps>(async () => (await import("#web/features/feedback/feedback-dialog.tsx")).default);

/** One row a thing; what is longer is a pane of its own. Back from one the focus is where it was. */
export function GeneralList({ user, cameFrom }: { user: User; cameFrom: SettingsPlace | null }) {
  const { features } = useSession();
  const settings = useSettings();
  const [feedback, setFeedback] = useState<"unused" | "open" | "closed">("unused");
  const triggered = useTriggeredSummary(user);
  const focusOf = (place: SettingsPlace) => (cameFrom === place ? focusOnMount : undefined);
  return (
    <div className="flex min-h-full flex-col">
      <div className="flex-1 px-20 pt-12 pb-16 min-[768px]:pt-20 desk:px-24">
        <ProfileLine user={user} editRef={focusOf("profile")} />
        <LedgerGroup label="New chats" isQuiet>
          <ErrorBoundary what="The preferred model">
            <PreferredModelField />
          </ErrorBoundary>
          <ErrorBoundary what="Autopilot">
            <AutopilotDefault />
          </ErrorBoundary>
          <ErrorBoundary what="The time zone">
            <TimeZoneField />
          </ErrorBoundary>
        </LedgerGroup>
        <LedgerGroup label="Yours">
          <PersonasRow />
          <PromptsRow />
          <KnowledgeRow />
          <LedgerLink
            ref={focusOf("memory")}
            label="Memory"
            description="What every model knows about you"
            value={user.memory_enabled ? "On" : "Off"}
            onClick={() => settings.enter("memory")}
          />
          <DeeplinksRow />
          {features?.artifacts && <ArtifactsSwitch />}
        </LedgerGroup>
        <LedgerGroup label="From outside">
          <LedgerLink
            ref={focusOf("emails")}
            label="Additional emails"
            description="Addresses you write to your chats from"
            value={user.additional_emails.filter(({ verified_at: at }) => at !== null).length}
            onClick={() => settings.enter("emails")}
          />
          <LedgerLink
            ref={focusOf("triggered")}
            label="Triggered messages"
            description="How messages are answered that were not typed here"
            value={triggered}
            onClick={() => settings.enter("triggered")}
          />
          {features?.email && !user.anonymous && (
            <LedgerLink
              ref={focusOf("notifications")}
              label="Notifications"
              description="Mails about what happens while you are away"
              value={notificationsSummary(user)}
              onClick={() => settings.enter("notifications")}
            />
          )}
        </LedgerGroup>
        <LedgerGroup label="Account">
          <LedgerLink
            ref={focusOf("usage")}
            label="Credits and usage"
            description={`${splitCredits(user.credits).main} left`}
            value="Details"
            onClick={() => settings.enter("usage")}
          />
          {!user.anonymous && (
            <LedgerLink
              ref={focusOf("keys")}
              label="API keys"
              description="For other programs that ask, search and read here"
              value="Manage"
              onClick={() => settings.enter("keys")}
            />
          )}
          <ImportChat />
          {features?.feedback && (
            <LedgerLink
              label="Feedback"
              description="What works, what does not, what is missing"
              value="Write"
              onClick={() => setFeedback("open")}
            />
          )}
        </LedgerGroup>
      </div>
      <SignOutBar />
      {feedback !== "unused" && (
        <FeedbackDialog open={feedback === "open"} onOpenChange={(open) => setFeedback(open ? "open" : "closed")} />
      )}
    </div>
  );
}
