import type { Page } from "@playwright/test";
import { mailsTo, newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { enter } from "./fixtures/api.ts";
import { ask, composer, sidebar } from "./fixtures/chat.ts";
import { newAddress, signIn } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const WRONG_CODE = "Invalid or expired code.";

function profile(page: Page) {
  return page.getByRole("button", { name: /^Profile: / });
}

async function askForCode(page: Page, email: string): Promise<string> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("textbox", { name: "Code" })).toBeFocused();
  return until(`the code mailed to ${email}`, () => newestCode(new URL(page.url()).origin, email));
}

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

test("every address of the login page shows it, with both ways in; a wrong address is refused, and one mistyped corrected", async ({
  page,
  allowConsole,
}) => {
  allowConsole(/the server responded with a status of 400/);
  for (const path of ["/auth", "/auth/", "/auth/login"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Continue with Google" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Send code" })).toBeVisible();
  }
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(/Email is required/);
  await page.getByRole("textbox", { name: "Email" }).fill("nobody@");
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(/Enter a valid email address\./);
  await askForCode(page, newAddress("typo"));
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(/^typo/);
  await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
});

test.describe("by mailed code", () => {
  test("a wrong code says so, the right one still works, and is refused the second time", async ({ page, newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 400/);
    await page.goto("/auth/login");
    const email = newAddress();
    const code = await askForCode(page, email);
    const field = page.getByRole("textbox", { name: "Code" });
    await field.fill(otherThan(code));
    await expect(page.getByText(WRONG_CODE)).toBeVisible();
    await expect(field).toHaveAccessibleDescription(WRONG_CODE);
    await field.fill(code);
    await expect(profile(page)).toBeVisible();
    const thief = await newDevice();
    const answer = await thief.request.post("/api/auth/email/verify", {
      data: { email, code },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(answer.status()).toBe(400);
    expect(await answer.json()).toMatchObject({ error: WRONG_CODE });
  });

  test("a code sent again replaces the first, once the wait is over", async ({ page, baseURL, allowConsole }) => {
    allowConsole(/the server responded with a status of 400/);
    await page.clock.install();
    const email = newAddress();
    await page.goto("/auth/login");
    const first = await askForCode(page, email);
    await expect(page.getByRole("button", { name: /^Send again in \d+ s$/ })).toBeDisabled();
    await page.clock.runFor(61_000);
    await page.getByRole("button", { name: "Send again", exact: true }).click();
    await until("a second mail", async () => (await mailsTo(baseURL ?? "", email)).length === 2);
    const second = (await newestCode(baseURL ?? "", email)) ?? "";
    const field = page.getByRole("textbox", { name: "Code" });
    if (first !== second) {
      await field.fill(first);
      await expect(page.getByText(WRONG_CODE)).toBeVisible();
    }
    await field.fill(second);
    await expect(profile(page)).toBeVisible();
  });

  test("the mail's link signs in on another device, by a press, once", async ({ page, newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 400/);
    const email = newAddress();
    await page.goto("/auth/login?returnUrl=%2Fchangelog");
    await askForCode(page, email);
    const [mail] = await mailsTo(new URL(page.url()).origin, email);
    const link = /https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const other = await newDevice();
    await other.goto(link);
    await expect(other.getByRole("main").getByText(email)).toBeVisible();
    await expect(other).toHaveURL((url) => url.hash === "" && url.pathname === "/auth");
    await other.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(other).toHaveURL((url) => url.pathname === "/changelog");
    await other.goto("/");
    await expect(profile(other)).toBeVisible();

    await page.goto(link);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveText(/^This link has expired or was used already\./);
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, email));
    await expect(page).toHaveURL((url) => url.pathname === "/changelog");
  });
});

test.describe("with Google", () => {
  const person = () => ({ email: newAddress("google"), name: "Greta Oogle" });

  async function consent(page: Page, { email, name }: { email: string; name: string }): Promise<void> {
    await expect(page.getByRole("heading", { name: "Simulated Google sign-in" })).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Continue with this account" }).click();
  }

  test("approving signs in and comes back to the wanted page", async ({ page }) => {
    const { email, name } = person();
    await page.goto("/auth/login?returnUrl=%2Fchangelog");
    await page.getByRole("button", { name: "Continue with Google" }).click();
    await consent(page, { email, name });
    await expect(page).toHaveURL((url) => url.pathname === "/changelog" && url.search === "");
    await page.goto("/");
    await page.getByRole("button", { name: "Profile: Greta Oogle" }).click();
    await expect(page.getByRole("menu", { name: "Profile" })).toContainText(email);
  });

  test("from a guest's chat it comes back to that chat, which is still theirs", async ({ page }) => {
    await page.goto("/");
    const chatId = await ask(page, "say Mine throughout Google login");
    await page.getByRole("main").getByRole("link", { name: "Login" }).click();
    const popover = page.getByRole("dialog", { name: "Login" });
    await popover.getByRole("button", { name: "Continue with Google" }).click();
    // What fails there is told in the popover that it was tried in.
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL(`/c/${chatId}`);
    await expect(popover.getByRole("alert")).toHaveText("Sign-in with Google was cancelled.");
    await popover.getByRole("button", { name: "Continue with Google" }).click();
    await consent(page, person());
    await expect(page).toHaveURL(`/c/${chatId}`);
    await expect(page.getByRole("log")).toContainText("Mine throughout Google login");
    await expect(profile(page)).toBeVisible();
  });

  test("what fails is told in the popover, and a cancelled one on the login page, once", async ({ page }) => {
    await page.goto("/?auth_error=unreachable");
    const popover = page.getByRole("dialog", { name: "Login" });
    await expect(popover.getByRole("alert")).toHaveText(/^Google cannot be reached right now\./);
    await expect(page).toHaveURL((url) => url.search === "");

    await page.goto("/auth/login?returnUrl=%2Fchangelog");
    await page.getByRole("button", { name: "Continue with Google" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("alert")).toHaveText("Sign-in with Google was cancelled.");
    await expect(page).toHaveURL((url) => url.pathname === "/auth/login" && !url.searchParams.has("auth_error"));
    await page.reload();
    await expect(page.getByRole("button", { name: "Continue with Google" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    // The way back was not lost on the way.
    await signInHere(page);
    await expect(page).toHaveURL((url) => url.pathname === "/changelog");
  });

  async function signInHere(page: Page): Promise<void> {
    const email = newAddress();
    await page
      .getByRole("textbox", { name: "Code" })
      .or(page.getByRole("textbox", { name: "Email" }))
      .waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, email));
  }
});

test("signing in never leads to another site", async ({ page, context, baseURL }) => {
  for (const evil of ["//evil.example/", "javascript:alert(1)"]) {
    await page.goto("about:blank");
    await context.clearCookies();
    await signIn(page, newAddress(), evil);
    await expect(profile(page)).toBeVisible();
    expect(new URL(page.url()).origin, evil).toBe(baseURL);
  }
});

test.describe("signing out", () => {
  test("here: the chats are gone from the screen, the draft stays, the other browser stays signed in", async ({
    page,
    newDevice,
    allowConsole,
  }) => {
    allowConsole(/the server responded with a status of 503/);
    const email = await enter(page);
    const other = await newDevice();
    await enter(other, email);
    await page.goto("/");
    await ask(page, "say Private harbour notes");
    await sidebar(page).getByRole("link", { name: "New Chat" }).click();
    await composer(page).fill("still here afterwards");
    // A failure says so and changes nothing.
    await page.route("**/api/auth/signout", (route) => route.fulfill({ status: 503, json: { error: "Not now.", code: "INTERNAL" } }));
    await profile(page).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByRole("region", { name: "Notifications" }).getByText("Failed to sign out")).toBeVisible();
    await expect(profile(page)).toBeVisible();
    await page.unroute("**/api/auth/signout");
    await profile(page).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(profile(page)).toHaveCount(0);
    await expect(sidebar(page).getByRole("link", { name: "Private harbour notes" })).toHaveCount(0);
    await expect(page).toHaveURL((url) => url.pathname === "/");
    await expect(composer(page)).toHaveValue("still here afterwards");
    await page.reload();
    await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
    await expect(sidebar(page).getByText("Your inbox is empty")).toBeVisible();

    await other.goto("/");
    await expect(profile(other)).toBeVisible();
    await expect(sidebar(other).getByRole("link", { name: "Private harbour notes" })).toBeVisible();
  });

  test("in another tab: a chat asks to sign in, and comes back to itself with its draft", async ({ page, context, allowConsole }) => {
    // A socket that was just being opened.
    allowConsole(/HTTP Authentication failed/);
    const email = await enter(page);
    await page.goto("/");
    const chatId = await ask(page, "say Left open elsewhere");
    await composer(page).fill("not sent yet");
    const other = await context.newPage();
    // Read last, once its socket is open; after the sign-out it would be refused.
    const teams = other.waitForResponse("**/api/teams");
    await other.goto("/");
    await teams;
    await profile(other).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`/auth/login?returnUrl=${encodeURIComponent(`/c/${chatId}`)}`);
    await expect(page.getByRole("region", { name: "Notifications" }).getByText("You were signed out")).toBeVisible();
    // The tab that signed out knows it, and needs no telling.
    await expect(other.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
    await expect(other.getByText("You were signed out")).toHaveCount(0);
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, email));
    await expect(page).toHaveURL(`/c/${chatId}`);
    await expect(page.getByRole("log")).toContainText("Left open elsewhere");
    await expect(composer(page)).toHaveValue("not sent yet");
  });
});

test("the profile dropdown names the person and leads to settings, changelog and sign-out", async ({ page }) => {
  const email = await enter(page, newAddress("ines"));
  await page.goto("/");
  await profile(page).click();
  const menu = page.getByRole("menu", { name: "Profile" });
  await expect(menu.or(page.getByRole("dialog", { name: "Profile" }))).toContainText(email);
  for (const name of ["Settings", "Changelog", "About", "Sign out"]) await expect(page.getByRole("menuitem", { name })).toBeVisible();
  await page.getByRole("menuitem", { name: "Changelog" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Changelog" })).toBeVisible();
  // Who has signed in goes on from the login page to where they wanted.
  await page.goto("/auth/login?returnUrl=%2Fchangelog");
  await expect(page).toHaveURL((url) => url.pathname === "/changelog");
});
