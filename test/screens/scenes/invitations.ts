import type { Page } from "@playwright/test";
import { TEAM_WELCOME_MS } from "#shared/limits.ts";
import type { World } from "../world.ts";
import { change, fail, hold, scene } from "../scene.ts";
import { LONG_TITLE, LONG_WORD } from "../seed/titles.ts";

const INVITATIONS = /\/api\/teams\/invitations\//;

async function openInvitation(page: Page, { invitation }: Pick<World, "invitation">): Promise<void> {
  await page.goto(invitation);
  await page.getByRole("dialog", { name: "Team Invitation" }).waitFor();
}

/** The invitation as it is in a state. */
async function invitationIs(page: Page, state: (invitation: Record<string, unknown>) => object): Promise<void> {
  await change(page, INVITATIONS, ({ invitation }) => ({ invitation: { ...Object(invitation), ...state(Object(invitation)) } }));
}

const DECIDED = "2026-11-06T10:00:00.000Z";
for (const [name, state] of [
  ["expired", { status: "expired", expires_at: DECIDED }],
  ["cancelled", { status: "cancelled", decided_at: DECIDED }],
  ["accepted", { status: "accepted", decided_at: DECIDED }],
] as const) {
  scene(
    `team-invitation-${name}`,
    async (page, world) => {
      await invitationIs(page, () => state);
      await openInvitation(page, world);
    },
    { as: "newcomer" },
  );
}
scene("team-invitation", openInvitation, { as: "newcomer" });
scene("team-invitation-guest", openInvitation, { as: "guest" });
scene("team-invitation-mismatch", openInvitation);
scene("team-invitation-unknown", (page) => openInvitation(page, { invitation: `/?team_invite=${"0".repeat(64)}` }), { as: "newcomer" });
scene(
  "team-invitation-long",
  async (page, world) => {
    await invitationIs(page, ({ email }) => ({
      teams: { name: LONG_TITLE, description: `${LONG_TITLE}.\n\n${LONG_WORD} `.repeat(6), memberCount: 1_284 },
      inviter: { display_name: LONG_TITLE, email: `${LONG_WORD.toLowerCase().slice(0, 60)}@lighting-and-wayfinding.example` },
      email,
    }));
    await openInvitation(page, world);
  },
  { as: "newcomer" },
);
scene(
  "team-invitation-loading",
  async (page, world) => {
    await hold(page, INVITATIONS);
    await openInvitation(page, world);
  },
  { as: "newcomer", isLoading: true },
);
scene(
  "team-invitation-failing",
  async (page, world) => {
    await fail(page, INVITATIONS);
    await openInvitation(page, world);
  },
  { as: "newcomer" },
);
scene(
  "team-invitation-refused",
  async (page, world) => {
    await openInvitation(page, world);
    await fail(page, INVITATIONS);
    await page.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Failed to accept invitation").waitFor();
  },
  { as: "newcomer" },
);
scene(
  "team-invitation-welcome",
  async (page, world) => {
    // It would close by itself.
    await page.addInitScript((welcome) => {
      const { setTimeout: later } = window;
      Object.assign(window, { setTimeout: (run: () => void, ms = 0) => later(run, ms === welcome ? 100 * ms : ms) });
    }, TEAM_WELCOME_MS);
    await openInvitation(page, world);
    const team = { user_role: "member", created_by: crypto.randomUUID(), created_at: DECIDED, memberCount: 5 };
    const rights = { members_restricted: false, content_admin_only: false };
    await page.route(INVITATIONS, (route) =>
      route.fulfill({ json: { team: { id: world.team, name: "Nordlicht Studio", description: null, ...team, ...rights } } }),
    );
    await page.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Welcome to the team!").waitFor();
  },
  { as: "newcomer" },
);
