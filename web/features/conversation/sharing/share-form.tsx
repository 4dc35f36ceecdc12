import { useEffect, useState } from "react";
import type { ShareLevel, Shares } from "#shared/entities/share.ts";
import { ApiError } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/tabs.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { InviteQuestion } from "#web/features/people/sharing/invite-question.tsx";
import { SHARE_LEVELS } from "#web/features/people/sharing/share-levels.ts";
import { useShareTeams } from "#web/features/people/sharing/use-share-teams.ts";
import { useShareChat } from "./use-shares.ts";

const InvitesDialog = lazyPart(async () => (await import("#web/features/people/invites/invites-dialog.tsx")).default);

type ShareFormProps = {
  chatId: string;
  shares: Shares | undefined;
  /** True where a team that has the chat takes it out of its folder. */
  leavesFolder: boolean;
};

/** Names whom to share with: an address, or one of one's teams. */
export function ShareForm({ chatId, shares, leavesFolder }: ShareFormProps) {
  const { data, isError, error } = useShareTeams();
  const teams = data?.teams ?? [];
  const [tab, setTab] = useState("email");
  useEffect(() => {
    if (isError) toast({ title: "Failed to fetch teams", description: error.message, tone: "danger" });
  }, [isError, error]);
  const invited = (shares?.userShares ?? []).flatMap(({ pending, userEmail }) => (pending ? [userEmail] : []));
  // What is typed stays where the teams come later, and the focus with it.
  return (
    <Tabs value={tab} onValueChange={setTab}>
      {teams.length > 0 && (
        <TabList label="Share" className="mb-16 flex gap-24 border-b border-line [&>button]:px-0">
          <Tab value="email">By email</Tab>
          <Tab value="team">By team</Tab>
        </TabList>
      )}
      <TabPanel value="email" isAlone={teams.length === 0}>
        <ByEmail chatId={chatId} invited={invited} />
      </TabPanel>
      <TabPanel value="team">
        <ByTeam chatId={chatId} teams={teams.filter(({ id }) => !shares?.teamShares.some(({ teamId }) => teamId === id))} />
        {leavesFolder && (
          <p className="mt-8 text-12 text-ink2">Shared with a team, this chat moves to the team’s workspace and leaves your folder.</p>
        )}
      </TabPanel>
    </Tabs>
  );
}

function ByEmail({ chatId, invited }: { chatId: string; invited: readonly string[] }) {
  const [email, setEmail] = useState("");
  const [level, setLevel] = useState<ShareLevel>("viewer");
  const [unknown, setUnknown] = useState<string | null>(null);
  /** Whose invitation is being written; it stays while the dialog closes. */
  const [invitation, setInvitation] = useState<{ email: string; open: boolean } | null>(null);
  const share = useShareChat(chatId);
  const address = email.trim();
  const submit = () => {
    // Asked for once more, an invitation is mailed once more.
    if (invited.includes(address.toLowerCase())) return setUnknown(address);
    share.mutate(
      { type: "user", email: address, permissionLevel: level },
      {
        onSuccess: () => setEmail(""),
        onError: (error) => {
          if (error instanceof ApiError && error.code === "USER_NOT_FOUND") return setUnknown(address);
          notifyFailure(error);
        },
      },
    );
  };
  const closeInvitation = () => setInvitation((held) => held && { ...held, open: false });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (address !== "" && !share.isPending) submit();
        }}
      >
        <div className="flex flex-wrap items-end gap-12">
          <TextField
            label="Email"
            hideLabel
            type="email"
            autoComplete="off"
            placeholder="name@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            className="min-w-200 grow-99 basis-0 max-[520px]:basis-full"
          />
          <Select label="May" value={level} options={SHARE_LEVELS} onChange={setLevel} className="w-108 max-desk:grow" />
          <Button type="submit" variant="primary" disabled={address === ""} busy={share.isPending} className="max-[520px]:grow">
            Share
          </Button>
        </div>
        <LevelsHint />
        <InviteQuestion
          what="chat"
          email={unknown}
          isAgain={unknown !== null && invited.includes(unknown.toLowerCase())}
          onCancel={() => setUnknown(null)}
          onInvite={() => {
            setUnknown(null);
            if (unknown !== null) setInvitation({ email: unknown, open: true });
          }}
        />
      </form>
      {/* Outside of the form, which would take its sending for its own. */}
      {invitation && (
        <InvitesDialog
          open={invitation.open}
          onOpenChange={(open) => !open && closeInvitation()}
          sharing={{ of: "chat", id: chatId, email: invitation.email, level }}
          onMailed={() => {
            setEmail("");
            closeInvitation();
          }}
        />
      )}
    </>
  );
}

function ByTeam({ chatId, teams }: { chatId: string; teams: readonly { id: string; name: string }[] }) {
  const [teamId, setTeamId] = useState("");
  const [level, setLevel] = useState<ShareLevel>("viewer");
  const share = useShareChat(chatId);
  const options = [
    { value: "", label: teams.length === 0 ? "All your teams have it" : "Choose a team", isPrompt: true },
    ...teams.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (teamId === "" || share.isPending) return;
        share.mutate({ type: "team", teamId, permissionLevel: level }, { onSuccess: () => setTeamId(""), onError: notifyFailure });
      }}
    >
      <div className="flex flex-wrap items-end gap-12">
        <Select label="Team" value={teamId} options={options} onChange={setTeamId} className="min-w-200 grow-99 basis-0" />
        <Select label="May" value={level} options={SHARE_LEVELS} onChange={setLevel} className="w-108 max-desk:grow" />
        <Button type="submit" variant="primary" disabled={teamId === ""} busy={share.isPending}>
          Share
        </Button>
      </div>
      <LevelsHint />
    </form>
  );
}

function LevelsHint() {
  return <p className="mt-8 text-12 text-ink2">Viewers read along. Editors can also rename, share, publish and send messages.</p>;
}

function notifyFailure(error: Error): void {
  toast({ title: "Failed to share chat", description: error.message, tone: "danger" });
}
