import type { Locator, Page } from "@playwright/test";
import * as z from "zod/mini";
import { Team, TeamInvitation } from "#shared/entities/team.ts";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, ask, chatIdOf, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

/** A team of this page's person, who lets another in. */
async function makeTeam(page: Page, name: string, member: { page: Page; email: string }): Promise<string> {
  const { team } = z.object({ team: Team }).parse(await callApi(page, { method: "POST", path: "/api/teams", body: { name } }));
  const sent = await callApi(page, {
    method: "POST",
    path: "/api/teams/invitations/send",
    body: { teamId: team.id, email: member.email },
  });
  const { invitation } = z.object({ invitation: TeamInvitation }).parse(sent);
  await callApi(member.page, { method: "POST", path: `/api/teams/invitations/${invitation.token}`, body: {} });
  return team.id;
}

function switcher(page: Page): Locator {
  return sidebar(page).getByRole("button", { name: /^Workspace: / });
}

async function switchTo(page: Page, name: string): Promise<void> {
  await switcher(page).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${name} `) }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(switcher(page)).toHaveAccessibleName(`Workspace: ${name}`);
}

function row(page: Page, title: string): Locator {
  return sidebar(page).getByRole("link", { name: title });
}

test("an owner and a member: lists, badges and new chats follow the workspace, until its team is gone", async ({
  page,
  newDevice,
  allowConsole,
}) => {
  // Whoever was in the team is asked for once more when it is gone.
  allowConsole(/the server responded with a status of 404/);
  const member = await newDevice();
  const memberEmail = newAddress("ines");
  await enter(page, newAddress("lena"));
  await enter(member, memberEmail);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { display_name: "Lena Brandt" } });
  await startChat(page, "say A private thing");
  await member.goto("/");
  await expect(member.getByRole("heading", { level: 1 })).toContainText("ines");
  await expect(switcher(member)).toHaveCount(0);
  const invites = sidebar(member).getByRole("button", { name: "Invites" });
  const place = await invites.boundingBox();

  // Who comes into a team gets the switcher, in an open tab too.
  const teamId = await makeTeam(page, "Nordlicht Studio", { page: member, email: memberEmail });
  await expect(switcher(member)).toHaveAccessibleName("Workspace: All");
  // The invites keep their place beside it, and the person's name some room.
  expect(await invites.boundingBox()).toEqual(place);
  await invites.click();
  await expect(member.getByRole("dialog", { name: "Invites" })).toBeVisible();
  await member.keyboard.press("Escape");
  await expect(member.getByRole("dialog", { name: "Invites" })).toHaveCount(0);
  const profile = sidebar(member).getByRole("button", { name: /^Profile/ });
  expect((await profile.boundingBox())?.width).toBeGreaterThan(88);
  await switchTo(member, "Nordlicht Studio");
  await expect(member.getByRole("heading", { name: "Nordlicht Studio" })).toBeVisible();
  await expect(member.getByRole("main")).toContainText("Chats begun here can be read by both members.");
  await expect(sidebar(member)).toContainText("No unread, pinned, or recent chats");

  // By keys; the menu says who is in which.
  await page.goto("/");
  await expect(row(page, "A private thing")).toBeVisible();
  await switcher(page).press("ArrowUp");
  await expect(page.getByRole("menuitemradio", { name: "All Personal and your team" })).toHaveAttribute("aria-checked", "true");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await page.getByRole("menuitemradio", { name: "Nordlicht Studio 2 members, you are an admin" }).press("Enter");
  await expect(row(page, "A private thing")).toHaveCount(0);

  // A chat begun in the team is the team's: the member sees whose it is, in the team's badge and in no other.
  await ask(page, "say The tender's outline");
  const chatId = chatIdOf(page);
  await expect(row(page, "The tender's outline")).toHaveAccessibleDescription(/\. Yours\. /);
  await expect(row(member, "The tender's outline")).toHaveAccessibleDescription(/^Unread\..*\. Lena’s\. /);
  await expect(member.getByRole("main")).toContainText("Lena has news. Chats begun here");
  const inbox = sidebar(member).getByRole("tab", { name: "Inbox" });
  await expect(inbox).toHaveAccessibleDescription("1 unread");
  await expect(member).toHaveTitle(/^\(1\) /);
  await expectReadable(member);
  await member.emulateMedia({ colorScheme: "dark" });
  await expectReadable(member);
  await switchTo(member, "Personal");
  await expect(row(member, "The tender's outline")).toHaveCount(0);
  await expect(inbox).toHaveAccessibleDescription("");
  await switchTo(member, "All");
  await expect(row(member, "The tender's outline")).toHaveAccessibleDescription(/\. Lena’s\. /);
  await expect(inbox).toHaveAccessibleDescription("1 unread");

  // The palette finds what the workspace holds, and leads to the others.
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("combobox", { name: "Search" });
  await search.fill("private");
  await expect(page.getByText("No results found.").first()).toBeVisible();
  await search.fill("workspace per");
  await page.getByRole("option", { name: "Workspace: Personal" }).click();
  await expect(row(page, "A private thing")).toBeVisible();
  await expect(row(page, "The tender's outline")).toHaveCount(0);
  await switchTo(page, "Nordlicht Studio");

  // Kept with the reload; all of a list is all of the workspace's.
  await page.reload();
  await expect(switcher(page)).toHaveAccessibleName("Workspace: Nordlicht Studio");
  await answered(page);
  await sidebar(page).getByRole("tab", { name: "Chats" }).click();
  await expect(row(page, "The tender's outline")).toBeVisible();
  await expect(row(page, "A private thing")).toHaveCount(0);

  // On a phone, from the drawer.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open sidebar" }).click();
  await switchTo(page, "All");
  await expect(row(page, "A private thing")).toBeVisible();
  await switchTo(page, "Nordlicht Studio");
  await expect(row(page, "A private thing")).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  // The team is gone: the choice falls back, and that is said.
  await switchTo(member, "Nordlicht Studio");
  await callApi(page, { method: "DELETE", path: `/api/teams/${teamId}` });
  for (const one of [page, member]) {
    await expect(one.getByRole("region", { name: "Notifications" })).toContainText("You are no longer in Nordlicht Studio");
    await expect(switcher(one)).toHaveCount(0);
  }
  await expect(row(page, "A private thing")).toBeVisible();
  await expect(page).toHaveURL(`/c/${chatId}`);
  await expect(row(member, "The tender's outline")).toHaveCount(0);
});
