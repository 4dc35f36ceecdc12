import { useMutation, useQuery } from "@tanstack/react-query";
import type { BodyOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import { createInvite, labelInvite, listInvites, returnInvite } from "#shared/contracts/account/invites.ts";
import { shareArtifact } from "#shared/contracts/artifacts.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import type { Invite } from "#shared/entities/invite.ts";
import type { ShareLevel } from "#shared/entities/share.ts";
import { INVITE_LABEL_LENGTH } from "#shared/limits.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient, setAnswer } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

type InvitesAnswer = ResponseOf<typeof listInvites>;

/** The person's unused invites and balance, read again each time the dialog opens. */
export function useInvites(enabled: boolean) {
  return useQuery({
    queryKey: keys.invites,
    queryFn: ({ signal }) => call(listInvites, {}, { signal }),
    enabled,
    staleTime: 0,
  });
}

/** Lets other tabs, and whoever uses an invite, change the list here; returns how to stop. */
export function followInvites(): () => void {
  return onLive((event) => {
    // A plan that waited is decided on.
    const concernsInvites =
      event.type === "hello" || event.type === "user.changed" || (event.type === "content.changed" && event.kind === "invite");
    if (concernsInvites) void queryClient.invalidateQueries({ queryKey: keys.invites });
  });
}

/** Makes an invite, which stands first in the list at once; the caller says what fails. */
export function useGenerate() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof createInvite>) => call(createInvite, { body }),
    onSuccess: ({ invite, balance }) =>
      keep((current) => ({ ...current, balance, invites: [invite, ...current.invites.filter(({ id }) => id !== invite.id)] })),
    onSettled: readAnew,
  });
}

/** Says whom an invite is for. */
export function useLabel() {
  return useMutation({
    mutationFn: ({ id, label }: { id: string; label: string }) =>
      call(labelInvite, { params: { id }, body: { sent_to: label.trim() || null } }),
    onSuccess: ({ invite }) =>
      keep((current) => ({ ...current, invites: current.invites.map((one) => (one.id === invite.id ? invite : one)) })),
    onError: failed("Failed to label invite"),
    onSettled: readAnew,
  });
}

/** Takes an unused invite back. */
export function useReturnInvite() {
  return useMutation({
    mutationFn: (id: string) => call(returnInvite, { params: { id } }),
    onSuccess: (_, id) => keep((current) => ({ ...current, invites: current.invites.filter((one) => one.id !== id) })),
    onError: failed("Failed to take invite back"),
    onSettled: readAnew,
  });
}

/** The person a chat or an artifact will be shared with, once they have an account. */
export type ShareInvitation = { of: "chat" | "artifact"; id: string; email: string; level: ShareLevel };

function inviteFor(invites: readonly Invite[], email: string): Invite | null {
  const label = inviteLabel(email);
  return invites.find(({ sent_to: sentTo }) => sentTo?.toLowerCase() === label) ?? null;
}

/** What goes along with the mail to an address: the invite that is meant for it, a new one, none as sign-up is open, or nothing may be mailed. */
export type Companion = { kind: "held"; invite: Invite } | { kind: "new" | "none" | "stuck" };

/** What goes along with the mail to an address. */
export function companionOf(
  { invites, balance }: Pick<InvitesAnswer, "invites" | "balance">,
  { email, signUpByInvite }: { email: string; signUpByInvite: boolean },
): Companion {
  const invite = inviteFor(invites, email);
  if (invite) return { kind: "held", invite };
  if (balance.left !== 0) return { kind: "new" };
  return { kind: signUpByInvite ? "stuck" : "none" };
}

/** How the invite of an address is labelled. */
export function inviteLabel(email: string): string {
  return email.trim().toLowerCase().slice(0, INVITE_LABEL_LENGTH);
}

/** Mails an invitation to what is shared, which keeps the share for its address, with the code of an invite where one is given. */
export function useMailInvitation() {
  return useMutation({
    mutationFn: ({ of, id, email, level, inviteId }: ShareInvitation & { inviteId: string | null }) => {
      const invited = { type: "user", email, permissionLevel: level, invite: true } as const;
      const body = { ...invited, ...(inviteId !== null && { invite_id: inviteId }) };
      return of === "chat" ? call(shareChat, { params: { id }, body }) : call(shareArtifact, { params: { id }, body });
    },
    onSuccess: (shares, shared) => setAnswer(sharesKey(shared), shares),
    // The share is kept even where its mail failed.
    onError: (_error, shared) => queryClient.invalidateQueries({ queryKey: sharesKey(shared) }),
  });
}

function sharesKey({ of, id }: Pick<ShareInvitation, "of" | "id">) {
  return of === "chat" ? keys.shares(id) : keys.artifactShares(id);
}

function keep(change: (current: InvitesAnswer) => InvitesAnswer): void {
  queryClient.setQueryData<InvitesAnswer>(keys.invites, (current) => current && change(current));
}

function readAnew(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.invites });
}

function failed(title: string): (error: Error) => void {
  return (error) => toast({ title, description: error.message, tone: "danger" });
}
