import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { copyInvitationLink } from "./copy-link.ts";
import { invitationUrl } from "./team-words.ts";
import { useInvite } from "./use-teams.ts";

/** Invites an address to a team by mail. */
export function InviteForm({ teamId }: { teamId: string }) {
  const [email, setEmail] = useState("");
  const [isRefused, setRefused] = useState(false);
  const invite = useInvite(teamId);
  const submit = () => {
    const address = email.trim();
    setRefused(address === "");
    if (address === "" || invite.isPending) return;
    invite.mutate(address, {
      onSuccess: ({ invitation, emailSent }) => {
        setEmail("");
        if (emailSent) return toast({ title: "Invitation sent successfully", description: invitation.email, tone: "success" });
        const url = invitationUrl(invitation.token);
        return toast({
          title: "Invitation created (email failed)",
          description: `Pass the link on to ${invitation.email}: ${url}`,
          tone: "warning",
          duration: null,
          action: { label: "Copy link", onClick: () => void copyInvitationLink(url) },
        });
      },
    });
  };
  return (
    <form
      noValidate
      aria-label="Invite"
      className="mt-16 flex flex-wrap items-start gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Email"
        hideLabel
        type="email"
        autoComplete="off"
        placeholder="name@company.com"
        value={email}
        error={isRefused ? "Email is required" : null}
        onChange={(event) => {
          setEmail(event.target.value);
          setRefused(false);
        }}
        className="min-w-160 flex-1"
      />
      <Button type="submit" variant="primary" busy={invite.isPending}>
        Send invitation
      </Button>
    </form>
  );
}
