import type { Page } from "@playwright/test";
import { ALERT_LINK, alertsTo, mailsTo, newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, composer, sidebar } from "./fixtures/chat.ts";
import { newAddress, signIn } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

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

  furtherTest("a code sent again replaces the first, once the wait is over", async ({ page, baseURL, allowConsole }) => {
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

  furtherTest("an address whose codes strangers guessed gets a link alone, and says so", async ({ page, baseURL, newDevice }) => {
    const email = newAddress();
    const origin = baseURL ?? "";
    for (let strangers = 0; strangers < 4; strangers += 1) {
      const { request } = await newDevice();
      const post = (path: string, data: object) => request.post(`${origin}/api/auth/email/${path}`, { data, headers: { origin } });
      await post("start", { email });
      const code = await until("the code", () => newestCode(origin, email));
      for (let tries = 0; tries < 5; tries += 1) expect((await post("verify", { email, code: otherThan(code) })).status()).toBe(400);
    }
    await page.goto("/auth/login?returnUrl=%2Fchangelog");
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send code" }).click();
    const notice = page.getByRole("main").getByText(`We mailed a link to ${email}, and no code`);
    await expect(notice).toContainText("Sign in by the link within 10 minutes, in any browser.");
    await expect(page.getByRole("textbox", { name: "Code" })).toHaveCount(0);
    await expectAccessible(page);
    const [mail] = await mailsTo(origin, email);
    await page.goto(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname === "/changelog");
  });

  test("the mail's link signs in on another device, by a press, once", async ({ page, newDevice, allowConsole }) => {
    // What is wrong, and whoever is signed out under way.
    allowConsole(/the server responded with a status of 40[01]/);
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

    // This browser is new to the account: its owner is notified, and whoever it wasn't ends everything by a press.
    const [alert] = await until("the alert", async () => {
      const alerts = await alertsTo(new URL(page.url()).origin, email);
      return alerts.length > 0 ? alerts : null;
    });
    expect(alert?.subject).toBe("New sign-in to your Polylogue account");
    expect(alert?.text).toContain("from a browser that is new to it: Chrome on ");
    const owner = await newDevice({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await owner.goto(ALERT_LINK.exec(alert?.text ?? "")?.[0] ?? "");
    await expect(owner.getByRole("heading", { name: "Sign out everywhere and end all keys?" })).toBeVisible();
    await expectAccessible(owner);
    await owner.getByRole("button", { name: "Sign out everywhere" }).click();
    await expect(owner.getByRole("heading", { name: "You are signed out everywhere, and all keys have ended." })).toBeVisible();
    await expectAccessible(owner);
    // A page asks for its list while it asks who is here.
    allowConsole(/the server responded with a status of 401/);
    for (const signedOut of [page, other]) {
      await signedOut.goto("/");
      await expect(signedOut.getByRole("link", { name: "Login" })).toBeVisible();
    }
  });
});

test.describe("with Google", () => {
  const person = () => ({ email: newAddress("google"), name: "Greta Oogle" });

  async function consent(page: Page, { email, name }: { email: string; name: string }, { isUntrusted = false } = {}): Promise<void> {
    await expect(page.getByRole("heading", { name: "Simulated Google sign-in" })).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Name").fill(name);
    if (isUntrusted) await page.getByLabel("The address is run by somebody else than Google").check();
    await page.getByRole("button", { name: "Continue with this account" }).click();
  }

  test("approving at Google signs in and comes back to the wanted page; an address that Google does not run is proven once by a code, the sign-in proves it again where that is asked for, and is listed and ended", async ({
    page,
    newDevice,
    allowConsole,
  }) => {
    const { email, name } = person();
    const approve = async (there: Page) => {
      await there.goto("/auth/login?returnUrl=%2Fchangelog");
      await there.getByRole("button", { name: "Continue with Google" }).click();
      await consent(there, { email, name }, { isUntrusted: true });
    };
    const confirms = (there: Page) => there.getByText("Google does not run the mailbox of this address", { exact: false });
    await approve(page);
    await expect(confirms(page)).toBeVisible();
    await expect(page).toHaveURL((url) => url.hash === "");
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
    await expect(page.getByRole("button", { name: "Continue with Google" })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, email));
    await expect(page).toHaveURL((url) => url.pathname === "/changelog" && url.search === "");
    await page.goto("/");
    await page.getByRole("button", { name: "Profile: Greta Oogle" }).click();
    await expect(page.getByRole("menu", { name: "Profile" })).toContainText(email);

    // What needs a fresh sign-in asks Google anew, in a window of its own, and goes on with what was typed.
    await page.goto("/?settings=keys");
    const settings = page.getByRole("dialog", { name: "Settings" });
    await settings.getByRole("button", { name: "New key" }).click();
    await settings.getByRole("textbox", { name: "Name" }).fill("Code editor");
    await settings.getByRole("checkbox").first().check();
    allowConsole(/the server responded with a status of 403/);
    const stale = { status: 403, json: { error: "Sign in again.", code: "FRESH_SIGN_IN_REQUIRED" } };
    await page.route("**/api/keys", (route) => (route.request().method() === "POST" ? route.fulfill(stale) : route.fallback()), {
      times: 1,
    });
    await settings.getByRole("button", { name: "Create key" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await expectAccessible(page);
    await expect(again).toContainText(email);
    const opened = page.waitForEvent("popup");
    await again.getByRole("button", { name: "Sign in with Google" }).click();
    const google = await opened;
    await expect(settings.getByRole("heading", { name: "The key of Code editor" })).toBeVisible();
    await expect(again).toHaveCount(0);
    expect(google.isClosed(), "Google's window closes by itself").toBe(true);

    const other = await newDevice();
    await approve(other);
    await expect(other).toHaveURL((url) => url.pathname === "/changelog");
    await page.goto("/?settings=signins");
    const linked = page.getByRole("list", { name: "Linked sign-ins" });
    await expect(linked).toContainText(email);
    await expectAccessible(page);
    await page.getByRole("button", { name: `End the sign-in of ${email}` }).click();
    const asked = page.getByRole("alertdialog", { name: "End this sign-in?" });
    await expect(asked).toContainText("your other browsers are signed out");
    await asked.getByRole("button", { name: "End", exact: true }).click();
    await expect(page.getByText("No Google account opens this one.", { exact: false })).toBeVisible();
    await expect.poll(async () => (await other.request.get("/api/user")).status()).toBe(401);
    await approve(other);
    await expect(confirms(other)).toBeVisible();
  });

  furtherTest("signing in with Google from a guest's chat comes back to that chat, which is still theirs", async ({ page }) => {
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

  furtherTest("why a sign-in with Google failed is said in the popover, and a cancelled one on the login page, once", async ({ page }) => {
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
  test("signing out here leaves no chats and drafts, the next account finds none of them, the other browser stays signed in", async ({
    page,
    newDevice,
    allowConsole,
  }) => {
    allowConsole(/the server responded with a status of 503|could not be loaded: ApiError: You have signed out/);
    const email = await enter(page);
    const other = await newDevice();
    await enter(other, email);
    await page.goto("/");
    await ask(page, "say Private harbour notes");
    await sidebar(page).getByRole("link", { name: "New Chat" }).click();
    await composer(page).fill("an unsent thought");
    // A draft of the earlier chat as well, and one that this page has only in memory yet.
    await page.getByRole("link", { name: "Private harbour notes" }).first().click();
    await composer(page).fill("an unsent answer");
    // What is private goes first; a session that cannot be ended now ends before anything else is asked.
    await page.route("**/api/auth/signout", (route) => route.fulfill({ status: 503, json: { error: "Not now.", code: "INTERNAL" } }));
    await profile(page).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByText("You have signed out, and nothing of yours is left on this device.").first()).toBeVisible();
    await expect(profile(page)).toHaveCount(0);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("unsent");
    await page.reload();
    await expect(page.getByText("You have signed out, and nothing of yours is left on this device.").first()).toBeVisible();
    await expectAccessible(page);
    await page.unroute("**/api/auth/signout");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await expect(sidebar(page).getByRole("link", { name: "Private harbour notes" })).toHaveCount(0);
    await expect(page).toHaveURL((url) => url.pathname === "/");
    await expect(composer(page)).toHaveValue("");
    await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
    await expect(sidebar(page).getByText("Your inbox is empty")).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("unsent");
    // What a visitor types follows the account that signs in.
    await composer(page).fill("typed by nobody yet");
    await enter(page);
    await page.goto("/");
    await expect(composer(page)).toHaveValue("typed by nobody yet");

    await other.goto("/");
    await expect(profile(other)).toBeVisible();
    await expect(sidebar(other).getByRole("link", { name: "Private harbour notes" })).toBeVisible();
  });

  furtherTest(
    "another browser that is signed out from here stands in the settings until then, and asks to sign in afterwards",
    async ({ page, newDevice, allowConsole }) => {
      const email = await enter(page);
      const other = await newDevice();
      await enter(other, email);
      await other.goto("/");
      await expect(profile(other)).toBeVisible();
      await page.goto("/?settings=general");
      await page.getByRole("button", { name: /^Signed-in browsers/ }).click();
      const browsers = page.getByRole("list", { name: "Signed-in browsers" }).getByRole("listitem");
      await expect(browsers).toHaveCount(2);
      await expect(browsers.first()).toContainText("This browser");
      await expectAccessible(page);
      allowConsole(/the server responded with a status of 401/);
      await browsers
        .last()
        .getByRole("button", { name: /^Sign out / })
        .click();
      await page.getByRole("alertdialog", { name: "Sign this browser out?" }).getByRole("button", { name: "Sign out" }).click();
      await expect(browsers).toHaveCount(1);
      await expect(profile(other)).toHaveCount(0);
      expect((await other.request.get("/api/user")).status()).toBe(401);
    },
  );

  test("signing out in another tab has a chat ask to sign in and come back to itself; its draft went with the sign-out, as it does not on another device", async ({
    page,
    context,
    newDevice,
    allowConsole,
  }) => {
    // A socket that was just being opened, what an idle page was just reading as its session ended, the end that each tab asks for
    // until it hears of it, and a chat that is another account's.
    allowConsole(
      /HTTP Authentication failed|a status of 401 .*\/api\/(teams|auth\/signout|chat\/[\w-]+(\/(queue|todos))?)\)|a status of 404/,
    );
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
    await expect(composer(page)).toHaveValue("");

    await other.close();
    const device = await newDevice();
    await enter(device, email);
    const signOutEverywhere = () => callApi(device, { method: "POST", path: "/api/auth/signout", body: { everywhere: true } });
    await composer(page).fill("not sent yet");
    await signOutEverywhere();
    await expect(page).toHaveURL(`/auth/login?returnUrl=${encodeURIComponent(`/c/${chatId}`)}`);
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, email));
    await expect(composer(page)).toHaveValue("not sent yet");

    // Another account that signs in on the page that is left open finds nothing of it, and leaves nothing of it.
    await enter(device, email);
    await signOutEverywhere();
    await expect(page).toHaveURL(/auth/);
    const stored = () => page.evaluate(() => JSON.stringify(localStorage));
    expect(await stored()).toContain("not sent yet");
    await page.getByRole("textbox", { name: "Code" }).fill(await askForCode(page, newAddress()));
    await expect(profile(page)).toBeVisible();
    await expect.poll(stored).not.toContain("not sent yet");
  });
});

furtherTest("the profile dropdown names the person and leads to settings, changelog and sign-out", async ({ page }) => {
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

furtherTest("who has no account is asked to sign in where artifacts are, and before a file is chosen", async ({ page }) => {
  await page.goto("/");
  await sidebar(page).getByRole("tab", { name: "Artifacts" }).click();
  const panel = sidebar(page).getByRole("tabpanel", { name: "Artifacts" });
  await expect(panel.getByText("Sign in required")).toBeVisible();
  await expect(panel.getByRole("link", { name: "Login" })).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Upload" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to upload artifacts" });
  await dialog.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/auth/login");
});
