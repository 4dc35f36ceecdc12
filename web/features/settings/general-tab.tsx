import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { AutopilotDefault } from "#web/features/autopilot/autopilot-default.tsx";
import { StorageView } from "#web/features/credits/storage-view.tsx";
import { UsageView } from "#web/features/credits/usage-view.tsx";
import { ImportChat } from "#web/features/import/import-chat.tsx";
import { PreferredModelField } from "#web/features/models/preferred-model-field.tsx";
import { leave } from "#web/features/session/enter-and-leave.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { toast } from "#web/ui/toast.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { TabHeading } from "./tab-heading.tsx";

/** The person, the model new chats start with, and the ways out. */
export function GeneralTab() {
  const { user } = useSession();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const signOut = useMutation({
    mutationFn: (everywhere: boolean) => leave({ everywhere, goHome: () => void navigate("/", { replace: true }) }),
    onError: (error) => toast({ tone: "danger", title: "Failed to sign out", description: error.message }),
  });
  if (!user) return null;
  return (
    <div className="space-y-32 px-20 py-20 min-[768px]:pr-56 desk:pl-24">
      <section>
        <TabHeading title="General" />
        <div className="max-w-480 min-[768px]:mt-16">
          <ProfileForm key={user.id} user={user} />
        </div>
      </section>
      <section aria-label="New chats" className="max-w-480 space-y-20">
        <ErrorBoundary what="The preferred model">
          <PreferredModelField />
        </ErrorBoundary>
        <ErrorBoundary what="Autopilot">
          <AutopilotDefault />
        </ErrorBoundary>
      </section>
      {!user.anonymous && (
        <ErrorBoundary what="The usage">
          <UsageView />
        </ErrorBoundary>
      )}
      {!user.anonymous && (
        <ErrorBoundary what="The storage">
          <StorageView />
        </ErrorBoundary>
      )}
      <section aria-labelledby="import-heading" className="max-w-480">
        <h3 id="import-heading" className="text-13 font-medium text-ink">
          Import a chat
        </h3>
        <p className="mt-2 text-13 text-ink2">
          One that was exported as JSON becomes a chat of yours, with all its versions; its files are not part of it.
        </p>
        <div className="mt-12">
          <ImportChat />
        </div>
      </section>
      <section aria-labelledby="sign-out-heading">
        <h3 id="sign-out-heading" className="text-13 font-medium text-ink">
          Sign out
        </h3>
        <p className="mt-2 text-13 text-ink2">Your chats stay; drafts stay in this browser.</p>
        <div className="mt-12 flex flex-wrap gap-8">
          <Button busy={signOut.isPending && !signOut.variables} onClick={() => signOut.mutate(false)}>
            Sign out
          </Button>
          <Button variant="quiet" onClick={() => setAsking(true)}>
            Sign out everywhere
          </Button>
        </div>
      </section>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        busy={signOut.isPending}
        onConfirm={() => signOut.mutate(true, { onSettled: () => setAsking(false) })}
      >
        Every browser and device where you are signed in is signed out, this one too.
      </ConfirmDialog>
    </div>
  );
}
