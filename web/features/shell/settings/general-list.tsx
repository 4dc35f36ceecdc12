import { type ComponentProps, type ComponentType, type Ref, useState } from "react";
import { useNavigate } from "react-router";
import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import type { User } from "#shared/entities/user.ts";
import { ArtifactsSwitch } from "#web/features/library/artifacts/artifacts-switch.tsx";
import { AutopilotDefault, PreferredModelField } from "./new-chat-fields.tsx";
import { splitCredits } from "#web/lib/dollars.ts";
import { BookmarkletRow } from "#web/features/conversation/deeplinks/bookmarklet-row.tsx";
import { ImportChat } from "#web/features/account/imports/import-chat.tsx";
import { InstallRow } from "./install-row.tsx";
import { SCHEDULES_PATH } from "#web/features/conversation/schedules/schedules-path.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TimeZoneField } from "#web/features/people/time-zone/time-zone-field.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { focusOnMount } from "#web/ui/focus.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LedgerGroup, LedgerLink } from "#web/ui/ledger.tsx";
import { type SettingsPlace, useSettings } from "#web/features/people/settings/use-settings.ts";
import type { ManageProps } from "#web/features/library/kit/pane.ts";
import { KnowledgeDialog } from "#web/features/library/knowledge/knowledge-dialog.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { PersonasDialog } from "#web/features/library/personas/personas-dialog.tsx";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { PromptsDialog } from "#web/features/conversation/prompt-settings/prompts-dialog.tsx";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { triggeredSettings } from "#shared/tools/triggered-settings.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { useShortModelName } from "#web/features/conversation/models/use-models.ts";
import { toolCountText } from "#web/features/conversation/tools/optional-categories.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import SignOutDialog from "#web/features/conversation/sign-out/sign-out-dialog.tsx";
import { unsentAtSignOut } from "#web/features/conversation/sign-out/lost-at-sign-out.ts";
import { leave } from "#web/features/people/session/enter-and-leave.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";

type BuilderProps = ComponentProps<typeof import("#web/features/conversation/deeplinks/deeplink-builder.tsx").DeeplinkBuilder>;

const DeeplinkBuilder = lazyPart<BuilderProps>(
  async () => (await import("#web/features/conversation/deeplinks/deeplink-builder.tsx")).DeeplinkBuilder,
);

/** The way to the builder of links. */
function DeeplinksRow() {
  const [builder, setBuilder] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
      <LedgerLink
        label="Deeplinks"
        description="Links that open a chat set up your way"
        value="Build one"
        onClick={() => setBuilder("open")}
      />
      {builder !== "unused" && <DeeplinkBuilder open={builder === "open"} onOpenChange={(open) => setBuilder(open ? "open" : "closed")} />}
    </>
  );
}

type FeedbackProps = ComponentProps<typeof import("#web/features/people/feedback/feedback-dialog.tsx").default>;

const FeedbackDialog = lazyPart<FeedbackProps>(async () => (await import("#web/features/people/feedback/feedback-dialog.tsx")).default);

/** One row a thing; what is longer is a pane of its own. Back from one the focus is where it was. */
export function GeneralList({ user, cameFrom }: { user: User; cameFrom: SettingsPlace | null }) {
  const { features } = useSession();
  const settings = useSettings();
  const personas = usePersonas().data?.personas.length;
  const prompts = usePrompts().data?.prompts.length;
  const knowledge = useKnowledge().data?.contexts.length;
  const focusOf = (place: SettingsPlace) => (cameFrom === place ? focusOnMount : undefined);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        <div className="beneath-bar px-20 pt-12 pb-16 min-[768px]:pt-20 desk:px-24">
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
            <LibraryRow label="Personas" description="Standing instructions a chat begins with" count={personas} Dialog={PersonasDialog} />
            <LibraryRow label="Prompts" description="Templates and workflows, to be used again" count={prompts} Dialog={PromptsDialog} />
            <LibraryRow
              label="Knowledge"
              description="Texts and files that your chats answer from"
              count={knowledge}
              Dialog={KnowledgeDialog}
            />
            <LedgerLink
              ref={focusOf("memory")}
              label="Memory"
              description="What every model knows about you"
              value={user.memory_enabled ? "On" : "Off"}
              onClick={() => settings.enter("memory")}
            />
            <DeeplinksRow />
            {features?.artifacts && <ArtifactsSwitch />}
            <InstallRow />
          </LedgerGroup>
          <OutsideGroup user={user} focusOf={focusOf} />
          <AccountGroup user={user} focusOf={focusOf} />
        </div>
      </div>
      <SignOutBar />
    </div>
  );
}

type GroupProps = { user: User; focusOf: (place: SettingsPlace) => Ref<HTMLButtonElement> | undefined };

/** What reaches the chats from elsewhere, and how it is answered. */
function OutsideGroup({ user, focusOf }: GroupProps) {
  const { features } = useSession();
  const settings = useSettings();
  const navigate = useNavigate();
  const triggered = useTriggeredSummary(user);
  return (
    <LedgerGroup label="From outside">
      <BookmarkletRow />
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
      {!user.anonymous && (
        <LedgerLink
          label="Schedules"
          description="Messages that are sent by themselves at their times"
          value="Open"
          onClick={() => void navigate(SCHEDULES_PATH)}
        />
      )}
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
  );
}

function AccountGroup({ user, focusOf }: GroupProps) {
  const { features } = useSession();
  const settings = useSettings();
  const [feedback, setFeedback] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
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
        {features?.google && !user.anonymous && (
          <LedgerLink
            ref={focusOf("signins")}
            label="Linked sign-ins"
            description="Google accounts that open this one"
            value="Manage"
            onClick={() => settings.enter("signins")}
          />
        )}
        {!user.anonymous && (
          <LedgerLink
            ref={focusOf("browsers")}
            label="Signed-in browsers"
            description="Where you are signed in, each with a way to end it"
            value="Manage"
            onClick={() => settings.enter("browsers")}
          />
        )}
        {!user.anonymous && (
          <LedgerLink
            ref={focusOf("data")}
            label="Your data"
            description="Everything you have here, as a file"
            value="Manage"
            onClick={() => settings.enter("data")}
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
      {feedback !== "unused" && (
        <FeedbackDialog open={feedback === "open"} onOpenChange={(open) => setFeedback(open ? "open" : "closed")} />
      )}
    </>
  );
}

type LibraryRowProps = { label: string; description: string; count: number | undefined; Dialog: ComponentType<ManageProps> };

/** How many of something there are, and the way to them. */
function LibraryRow({ label, description, count, Dialog }: LibraryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <LedgerLink label={label} description={description} value={count ?? ""} onClick={() => setIsOpen(true)} />
      <Dialog open={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}

type Preferences = Pick<User, "notify_replies" | "notify_approvals" | "notify_shares" | "notify_imports" | "notify_schedules">;

/** How many kinds of mails a person gets, in a word: `2 on`. */
function notificationsSummary(user: Preferences): string {
  const on = [user.notify_replies, user.notify_approvals, user.notify_shares, user.notify_imports, user.notify_schedules].filter(
    Boolean,
  ).length;
  return on === 0 ? "Off" : `${on} on`;
}

/** How triggered messages are answered, in a few words: `Sonnet 4.6, 2 tools`. */
function useTriggeredSummary(user: User): string {
  const settings = triggeredSettings(user);
  const name = useShortModelName(settings.model_id ?? user.preferred_model ?? AUTO_MODEL_ID);
  return settings.model_id === AUTOPILOT_MODEL_ID ? "Autopilot" : `${name}, ${toolCountText(settings.tool_categories.length)}`;
}

/** Who this is, as others see them, and the way to change it. */
function ProfileLine({ user, editRef }: { user: User; editRef: Ref<HTMLButtonElement> | undefined }) {
  const settings = useSettings();
  return (
    <div className="flex items-center gap-12 border-b border-line pb-14 min-[768px]:pr-48">
      <Avatar name={user.display_name} image={user.profile_image} size={36} />
      <div className="min-w-0">
        <p className="truncate text-14 font-medium text-ink">{user.display_name}</p>
        <p className="truncate text-13 text-ink2">{user.email}</p>
      </div>
      <Button
        ref={editRef}
        size="sm"
        className="ml-12 max-[767px]:ml-auto"
        aria-label="Edit profile"
        onClick={() => settings.enter("profile")}
      >
        Edit
      </Button>
    </div>
  );
}

/** The ways out: of this browser, and of all. */
function SignOutBar() {
  const [asking, setAsking] = useState(false);
  const [losing, setLosing] = useState(false);
  const signOut = useMutation({
    // It is forgotten here without a network too.
    networkMode: "always",
    mutationFn: (everywhere: boolean) => leave({ everywhere }),
    onError: (error) => toast({ tone: "danger", title: "Failed to sign out", description: error.message }),
  });
  return (
    <div className="flex shrink-0 items-center justify-between border-t border-line bg-s2 px-6 py-8 desk:px-10">
      <Button
        variant="quiet"
        className="text-ink"
        busy={(signOut.isPending || signOut.isSuccess) && !signOut.variables}
        onClick={() => (unsentAtSignOut() !== null ? setLosing(true) : signOut.mutate(false))}
      >
        <LogOut aria-hidden className="size-16" />
        Sign out
      </Button>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <SignOutDialog open={losing} onOpenChange={setLosing} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        busy={signOut.isPending || signOut.isSuccess}
        onConfirm={() => signOut.mutate(true, { onError: () => setAsking(false) })}
      >
        Every browser and device where you are signed in is signed out, this one too. Your chats stay; what you typed here and did not send
        goes.
      </ConfirmDialog>
    </div>
  );
}
