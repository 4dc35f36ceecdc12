import type { Locator, Page } from "@playwright/test";
import * as z from "zod/mini";
import { Team } from "#shared/entities/team.ts";
import { mailsTo, newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { conversation, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const Sent = z.object({ invitation: z.unknown() });
const Session = z.object({ user: z.unknown(), features: z.looseObject({}) });
const Teams = z.object({ teams: z.array(Team) });
const ORIGIN = process.env["E2E_URL"] ?? "";

/** Settings > Teams of this page's person. */
async function openTeams(page: Page): Promise<Locator> {
  await page.goto("/?settings=teams");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("tab", { name: "Teams" })).toHaveAttribute("aria-selected", "true");
  return settings;
}

function toasts(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

function rowOf(settings: Locator, text: string): Locator {
  return settings.getByRole("listitem").filter({ hasText: text });
}

/** Answers the browser's next question, and gives its text. */
function answerNext(page: Page, yes: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    page.once("dialog", (dialog) => {
      (yes ? dialog.accept() : dialog.dismiss()).then(() => resolve(dialog.message()), reject);
    });
  });
}

/** The invitation's path in the newest mail to an address that has one. */
function mailedLink(email: string): Promise<string> {
  return until("the invitation's mail", async () => {
    const links = (await mailsTo(ORIGIN, email)).map(({ text }) => text.match(/\/\?team_invite=\S+/)?.[0]);
    return links.find((link) => link !== undefined);
  });
}

/** Enters an address and the code mailed to it, on the login page. */
async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
  await page.getByRole("textbox", { name: "Code" }).fill(await until("the code", () => newestCode(ORIGIN, email)));
}

test("an admin, a member and an invited newcomer: from the first invitation to the removal", async ({ page, newDevice, allowConsole }) => {
  // What was cut off is asked for once more, and so is a link that is none.
  allowConsole(/the server responded with a status of (?:402|403|404|409)/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const [member, newcomer] = [await newDevice(), await newDevice()];
  const [memberEmail, newEmail] = [newAddress("ines"), newAddress("paul")];
  await enter(page, newAddress("lena"));
  await enter(member, memberEmail);
  const { chatId } = await startChat(page, "say The studio's tender");

  // The team.
  const settings = await openTeams(page);
  await settings.getByRole("button", { name: "Create team" }).click();
  await expect(settings.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription("Team name is required");
  await settings.getByRole("textbox", { name: "Name" }).fill("Nordlicht");
  await settings.getByRole("textbox", { name: "Description" }).fill("Client work and tenders.");
  await settings.getByRole("button", { name: "Create team" }).click();
  await expect(toasts(page)).toContainText("Team created successfully");
  await settings.getByRole("button", { name: "Edit team" }).click();
  await settings.getByRole("textbox", { name: "Name" }).fill("Nordlicht Studio");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings.getByRole("heading", { name: "Nordlicht Studio" })).toBeVisible();
  await expect(settings.getByRole("navigation", { name: "Teams" })).toContainText("1 member, you are an admin");

  // Two invitations, by mail.
  const invite = async (email: string) => {
    await settings.getByRole("textbox", { name: "Email" }).fill(email);
    await settings.getByRole("button", { name: "Send invitation" }).click();
    await expect(rowOf(settings, email)).toContainText("Expires in 7 days, sent by you");
  };
  await settings.getByRole("button", { name: "Send invitation" }).click();
  await expect(settings.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription("Email is required");
  await invite(memberEmail);
  await expect(toasts(page)).toContainText("Invitation sent successfully");
  await invite(newEmail);
  const copy = rowOf(settings, newEmail).getByRole("button", { name: /^Copy link/ });
  await copy.click();
  await expect(copy).toHaveText("Copied");
  await expect(copy).toHaveText("Copy link");
  const link = await mailedLink(newEmail);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ORIGIN + link);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  // The member follows the newcomer's link first: it is not theirs, and signing out leads back to it.
  await member.goto(link);
  const offer = member.getByRole("dialog", { name: "Team Invitation" });
  await expect(offer).toContainText(`This invitation is for ${newEmail}. You are signed in as ${memberEmail}.`);
  await expect(offer.getByRole("button", { name: "Accept" })).toHaveCount(0);
  await expect(member).toHaveURL("/");
  await offer.getByRole("button", { name: "Sign out" }).click();
  await expect(member).toHaveURL(`/auth/?returnUrl=${encodeURIComponent(link)}`);
  await expect(member.getByRole("textbox", { name: "Email" })).toHaveValue(newEmail);
  await signInHere(member, memberEmail);
  await expect(offer).toContainText("This invitation is for");
  await offer.getByRole("button", { name: "Not now" }).click();
  await member.goto(`/new${(await mailedLink(memberEmail)).slice(1)}`);
  await expect(offer).toContainText("1 member");
  await expect(offer).toContainText("in 7 days");
  await expectAccessible(member);
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(offer).toContainText("Welcome to the team!");
  await expect(offer).toContainText("2 members, you among them");
  await expect(offer).toHaveCount(0);
  await expect(member).toHaveURL("/");

  // The admin's tab follows; the newcomer signs up through the link.
  await expect(settings.getByRole("navigation", { name: "Teams" })).toContainText("2 members");
  await expect(rowOf(settings, memberEmail).getByRole("combobox")).toHaveValue("member");
  await newcomer.goto(link);
  const welcome = newcomer.getByRole("dialog", { name: "Team Invitation" });
  await expect(welcome).toContainText("Sign in with this address to accept. You come back here.");
  await expect(welcome).not.toContainText("members");
  await newcomer.emulateMedia({ colorScheme: "dark" });
  await expectReadable(newcomer);
  await welcome.getByRole("link", { name: "Sign in" }).click();
  await expect(newcomer.getByRole("textbox", { name: "Email" })).toHaveValue(newEmail);
  await signInHere(newcomer, newEmail);
  await welcome.getByRole("button", { name: "Accept" }).click();
  await expect(welcome).toContainText("Welcome to the team!");
  await expect(welcome).toHaveCount(0);
  await newcomer.goto(link);
  await expect(welcome).toContainText("This invitation has already been accepted.");
  await welcome.getByRole("button", { name: "Close" }).last().click();
  await newcomer.goto("/?team_invite=none");
  await expect(welcome).toContainText("This invitation link is not valid.");

  // What is shared with the team is the newcomer's until they are removed.
  const { teams } = Teams.parse(await callApi(page, { method: "GET", path: "/api/teams" }));
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${chatId}/share`,
    body: { type: "team", teamId: teams[0]?.id, permissionLevel: "viewer" },
  });
  await newcomer.goto("/");
  await sidebar(newcomer).getByRole("link", { name: "The studio's tender" }).click();
  await expect(conversation(newcomer)).toContainText("The studio's tender");

  // The member's view: no admin's tools, and no list where it is restricted.
  const view = await openTeams(member);
  await expect(view.getByRole("heading", { name: "Members" })).toContainText("3");
  await expect(view.getByRole("combobox")).toHaveCount(0);
  await expect(view.getByText("Danger Zone")).toHaveCount(0);
  // What changes while the teams are first read, and before the line is open, shows once it is.
  const [line, read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await member.routeWebSocket(/\/api\/live/, async (socket) => {
    await line.promise;
    socket.connectToServer();
  });
  await member.route(
    "**/api/teams",
    async (route) => {
      const response = await route.fetch();
      read.resolve();
      await late.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await member.reload();
  await read.promise;
  const restricted = page.waitForResponse((response) => response.request().method() === "PATCH" && response.url().includes("/api/teams/"));
  await settings.getByRole("switch", { name: "Restricted members" }).click();
  await restricted;
  line.resolve();
  await expect(view).toContainText("Member information is restricted — Only administrators can view team members for this team");
  late.resolve();
  await rowOf(settings, memberEmail).getByRole("combobox").selectOption("Admin");
  await expect(view.getByRole("combobox", { name: /^Role of paul/ })).toBeVisible();

  // A budget: said above the member's composer, held to, and lifted while they look.
  await settings.getByRole("button", { name: "Usage and budgets" }).click();
  await expect(settings.getByRole("list", { name: "Spending by member" }).getByRole("listitem")).toHaveCount(3);
  await settings.getByRole("button", { name: "Add today" }).click();
  await expect(settings).toContainText("today included");
  const each = settings.getByRole("textbox", { name: "Budget of each member in US dollars a month" });
  await each.fill("0");
  await each.press("Enter");
  await expect(settings.getByRole("textbox", { name: /^Budget of ines/ })).toHaveAttribute("placeholder", "0.00");
  await expectAccessible(page);
  await settings.getByRole("tab", { name: "By day" }).click();
  await expect(settings).toContainText("Nothing was spent in the team's chats");
  const teamChat = crypto.randomUUID();
  await callApi(member, { method: "POST", path: "/api/chats", body: { id: teamChat, title: "Site visit", team_id: teams[0]?.id } });
  await member.goto(`/c/${teamChat}`);
  const budgetNotice = member.getByRole("status").filter({ hasText: "in the team \u201cNordlicht Studio\u201d is used up" });
  await expect(budgetNotice).toBeVisible();
  const message = member.getByRole("textbox", { name: "Message" });
  await message.fill("say Hello");
  await message.press("Enter");
  await expect(member.getByRole("alert")).toContainText('Your budget of $0.00 a month in the team "Nordlicht Studio" is used up.');
  await expect(message).toHaveValue("say Hello");
  await expectAccessible(member);
  await each.fill("50");
  await each.press("Enter");
  await expect(budgetNotice).toHaveCount(0);
  await message.press("Enter");
  await expect(conversation(member)).toContainText("Hello");
  await settings.getByRole("button", { name: "Back to Nordlicht Studio" }).click();
  await openTeams(member);
  await expect(view).toContainText("of your $50.00 here this month");

  const asked = answerNext(page, false);
  await rowOf(settings, newEmail)
    .getByRole("button", { name: /^Remove / })
    .click();
  expect(await asked).toContain("Nordlicht Studio");
  await expect(rowOf(settings, newEmail)).toBeVisible();
  void answerNext(page, true);
  await rowOf(settings, newEmail)
    .getByRole("button", { name: /^Remove / })
    .click();
  await expect(toasts(page)).toContainText("Member removed successfully");
  await expect(newcomer).toHaveURL("/");
  await expect(sidebar(newcomer).getByRole("link", { name: "The studio's tender" })).toHaveCount(0);

  // An open invitation is cancelled, the member leaves, the team ends.
  await invite(newEmail);
  const second = await until("the second link", async () => {
    const next = await mailedLink(newEmail);
    return next === link ? null : next;
  });
  void answerNext(page, true);
  await rowOf(settings, newEmail)
    .getByRole("button", { name: /^Cancel the invitation/ })
    .click();
  await expect(toasts(page)).toContainText("Invitation cancelled");
  await newcomer.goto(second);
  await expect(welcome).toContainText("This invitation has been cancelled.");
  void answerNext(member, true);
  await view.getByRole("button", { name: "Leave team" }).click();
  await expect(toasts(member)).toContainText("You left the team");
  await expect(settings.getByRole("navigation", { name: "Teams" })).toContainText("1 member");
  void answerNext(page, true);
  await settings.getByRole("button", { name: "Delete team" }).click();
  await expect(toasts(page)).toContainText("Team deleted successfully");
  await expect(settings.getByRole("textbox", { name: "Name" })).toBeVisible();
});

furtherTest(
  "on a phone: access is asked for, the list leads to the team and back, and what fails says so",
  async ({ newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 403/);
    const page = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(page);
    const refused = { status: 403, json: { code: "FORBIDDEN", error: "Not today." } };
    await page.route("**/api/teams", (route) => route.fulfill(refused));
    const settings = await openTeams(page);
    await expect(settings.getByRole("alert")).toContainText("Failed to fetch teamsNot today.");
    await expect(toasts(page)).not.toContainText("Failed to fetch teams");
    await page.unroute("**/api/teams");
    await page.route("**/api/auth/session", async (route) => {
      const { user, features } = Session.parse(await (await route.fetch()).json());
      await route.fulfill({ json: { user, features: { ...features, teamsForAll: false, operatorEmail: "operator@example.com" } } });
    });
    await page.route("**/api/invites", async (route) => {
      const answer = z.looseObject({}).parse(await (await route.fetch()).json());
      await route.fulfill({ json: { ...answer, waiting_plan: "team" } });
    });
    await page.reload();
    await expect(settings.getByRole("status").filter({ hasText: "Your team plan waits for an administrator's approval." })).toBeVisible();
    await expect(settings.getByRole("link", { name: "Request access" })).toHaveAttribute("href", /^mailto:operator@example\.com/);
    await page.unroute("**/api/auth/session");

    await callApi(page, { method: "POST", path: "/api/teams", body: { name: "Kita Parents" } });
    await page.goto("/");
    await page.getByRole("button", { name: "Open sidebar" }).tap();
    await page
      .getByRole("dialog", { name: "Chats" })
      .getByRole("button", { name: /^Profile: / })
      .tap();
    await page.getByRole("menuitem", { name: "Settings" }).tap();
    await settings.getByRole("tab", { name: "Teams" }).tap();
    await settings.getByRole("button", { name: /^Kita Parents/ }).tap();
    await expect(settings.getByRole("heading", { name: "Kita Parents" })).toBeVisible();
    await expect(settings.getByRole("navigation", { name: "Teams" })).toHaveCount(0);
    await settings.getByRole("button", { name: "Usage and budgets" }).tap();
    await expect(settings.getByRole("heading", { name: "Usage" })).toBeVisible();
    await expect(settings.getByRole("button", { name: "All teams" })).toHaveCount(0);
    await settings.getByRole("button", { name: "Back to Kita Parents" }).tap();
    await expect(settings.getByRole("button", { name: "All teams" })).toBeVisible();
    await page.route("**/api/teams/invitations/send", async (route) => {
      const { invitation } = Sent.parse(await (await route.fetch()).json());
      await route.fulfill({ json: { invitation, emailSent: false } });
    });
    const email = newAddress("paul");
    await settings.getByRole("textbox", { name: "Email" }).fill(email);
    await settings.getByRole("button", { name: "Send invitation" }).tap();
    const warning = toasts(page).getByRole("listitem").filter({ hasText: "Invitation created (email failed)" });
    await warning.getByRole("button", { name: "Copy link" }).tap();
    await expect(toasts(page)).toContainText("Invitation link copied to clipboard");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/?team_invite=");
    await page.route("**/api/teams/invitations", (route) => route.fulfill(refused));
    void answerNext(page, true);
    await rowOf(settings, email)
      .getByRole("button", { name: /^Cancel the invitation/ })
      .tap();
    await expect(toasts(page)).toContainText("Failed to cancel invitation");
    await expectAccessible(page);
    await settings.getByRole("button", { name: "All teams" }).tap();
    await expect(settings.getByRole("button", { name: /^Kita Parents/ })).toBeFocused();
    await page.goBack();
    await expect(settings).toHaveCount(0);
  },
);
