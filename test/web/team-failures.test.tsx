import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { copyInvitationLink } from "#web/features/people/teams/team-pane.tsx";
import { InvitationView } from "#web/features/people/teams/invitation-view.tsx";
import { useCancelInvitation, useCreateTeam, useDeleteTeam, useInvite, useRemoveMember } from "#web/features/people/teams/use-teams.ts";
import { queryClient } from "#web/lib/query.ts";
import { toastStore } from "#web/ui/toast/toast-store.ts";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ error: "Not today.", code: "FORBIDDEN" }, { status: 403 }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  for (const { id } of toastStore.read()) toastStore.remove(id);
});

/** Carries out what a hook of this team offers, and returns what is shown of its failure. */
async function toastOf(useIt: () => { mutateAsync: () => Promise<unknown> }): Promise<unknown> {
  const taken: (() => Promise<unknown>)[] = [];
  function Probe() {
    taken.push(useIt().mutateAsync);
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Probe />
    </QueryClientProvider>,
  );
  await expect(taken[0]?.()).rejects.toThrow("Not today.");
  return toastStore.read().at(-1);
}

/** A hook's verb with what it is asked for. */
function asked<T>(useIt: () => { mutateAsync: (input: T) => Promise<unknown> }, input: T) {
  return () => {
    const { mutateAsync } = useIt();
    return { mutateAsync: () => mutateAsync(input) };
  };
}

it.each([
  ["Failed to create team", asked(useCreateTeam, { name: "Crew" })],
  ["Failed to send invitation", asked(() => useInvite("team"), "hanna@example.com")],
  ["Failed to cancel invitation", asked(useCancelInvitation, "invitation")],
  ["Failed to remove member", asked(() => useRemoveMember("team"), "person")],
  ["Failed to delete team", asked(() => useDeleteTeam("team"), undefined)],
])("%s, with the server's reason", async (title, useIt) => {
  expect(await toastOf(useIt)).toMatchObject({ title, description: "Not today.", tone: "danger" });
});

it("A browser that keeps its clipboard says 'Failed to copy link'", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: async () => Promise.reject(new Error("refused")) } });
  expect(await copyInvitationLink("https://example.com/?team_invite=t")).toBe(false);
  expect(toastStore.read().at(-1)).toMatchObject({ title: "Failed to copy link", tone: "danger" });
});

it("An invitation that is not accepted stays open and says why", () => {
  const at = new Date().toISOString();
  const invitation = {
    id: "invitation",
    email: "hanna@example.com",
    token: "t",
    status: "pending" as const,
    expires_at: at,
    created_at: at,
    decided_at: null,
    teams: { name: "Crew", description: null, memberCount: 2 },
    inviter: { display_name: "Lena Brandt", email: null },
  };
  const shown = renderToStaticMarkup(<InvitationView state={{ kind: "open", invitation }} failure={new Error("The network is away.")} />);
  expect(shown).toContain("Failed to accept invitation");
  expect(shown).toContain("The network is away. Try again in a moment.");
});
