import type { Locator, Page } from "@playwright/test";
import * as z from "zod/mini";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { ask, composer, lastTurn } from "./fixtures/chat.ts";
import { answerLate } from "./fixtures/late-answer.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const SHORTCUT = "ControlOrMeta+Shift+O";
const HOSTILE = '<img src=x onerror="window.__ran=1">';
const PersonaList = z.looseObject({ personas: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

function button(page: Page): Locator {
  return page.getByRole("button", { name: "Switch persona", exact: true });
}

function options(page: Page): Locator {
  return page.getByRole("listbox", { name: "Personas" }).getByRole("option");
}

function manager(page: Page): Locator {
  return page.getByRole("dialog", { name: "Manage Personas" });
}

async function pick(page: Page, name: string): Promise<void> {
  await button(page).click();
  await options(page).filter({ hasText: name }).click();
  await expect(options(page)).toHaveCount(0);
}

async function openManager(page: Page): Promise<Locator> {
  await button(page).click();
  await page.getByRole("button", { name: "Manage Personas..." }).click();
  await expect(manager(page)).toBeVisible();
  return manager(page);
}

/** Who the last answer speaks as, by its details. */
async function personaInDetails(page: Page): Promise<string | null> {
  await lastTurn(page).getByRole("button", { name: "Details", exact: true }).click();
  const details = page.getByRole("dialog", { name: "Details" });
  await expect(details).toContainText("Time");
  const names = await details.getByRole("term").allTextContents();
  const values = await details.getByRole("definition").allTextContents();
  await page.keyboard.press("Escape");
  await expect(details).toHaveCount(0);
  return values[names.indexOf("Persona")] ?? null;
}

test("a persona from its first word to its deletion", async ({ page, context, newDevice }) => {
  await enter(page);
  await page.goto("/");
  await expect(button(page)).toHaveAccessibleDescription("Polylogue (perso…");
  await expect(composer(page)).toBeFocused();

  await test.step("the shortcut opens the list, which says what it has", async () => {
    await page.keyboard.press(SHORTCUT);
    const search = page.getByRole("combobox", { name: "Search personas" });
    await expect(search).toBeFocused();
    await expect(search).toHaveAttribute("placeholder", "Search prompts...");
    await expect(options(page)).toHaveText([/^No persona/, /^Polylogue \(personalized\)/]);
    await search.fill("nothing like it");
    await expect(page.getByText("No prompts found.")).toBeVisible();
    await page.keyboard.press(SHORTCUT);
    await expect(search).toHaveCount(0);
    await expect(composer(page)).toBeFocused();
    await button(page).hover();
    await expect(page.getByText(/^Switch persona/)).toBeVisible();
  });

  const dialog = await openManager(page);
  await test.step("without one of their own a person is offered ready-made ones, and told what is wrong with a new one", async () => {
    await expect(dialog.getByText("You haven't created any personas yet.")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Look at ready-made personas" }).click();
    await dialog.getByRole("button", { name: /^Rubber duck/ }).click();
    await expect(dialog.getByText(/You help a programmer to find a fault by making them explain it/).first()).toBeVisible();
    await dialog.getByRole("button", { name: "Add Rubber duck" }).click();
    await expect(dialog.getByText("Added", { exact: true })).toBeVisible();
    await expect(dialog.getByText("You haven't created any personas yet.")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: /^Edit / })).toHaveCount(2);
    await dialog.getByRole("button", { name: "Create New Persona" }).click();
    await dialog.getByRole("button", { name: "Create persona" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(["Name cannot be empty.", "Content cannot be empty."]);
    const name = dialog.getByRole("textbox", { name: "Name" });
    await expect(name).toBeFocused();
    await name.fill("Pirate (2)");
    await dialog.getByRole("textbox", { name: "Content" }).fill("Answer like PIRATE-1.\nNever swear.");
    // Closing does not lose what was written.
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await openManager(page);
    await dialog.getByRole("button", { name: "Create New Persona" }).click();
    await expect(name).toHaveValue("Pirate (2)");
    await dialog.getByRole("button", { name: "Create persona" }).click();
    await expect(dialog.getByRole("button", { name: "Edit Pirate (2)" })).toBeVisible();
  });

  await test.step("the personalized persona keeps its name, and its section begins with its marker", async () => {
    await dialog.getByRole("button", { name: "Edit Polylogue (personalized)" }).click();
    await expect(dialog.getByRole("textbox", { name: "Name" })).not.toBeEditable();
    await dialog.getByRole("textbox", { name: "Personalization" }).fill("They like tea.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Personalization content must start with '--- PERSONALIZATION SECTION ---'");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  const second = await context.newPage();
  await test.step("there is one default persona, here and in the other tab, and what others write is text", async () => {
    await second.goto("/");
    await expect(button(second)).toHaveAccessibleDescription("Polylogue (perso…");
    await dialog.getByRole("button", { name: "Set Pirate (2) as default" }).click();
    await expect(dialog.getByRole("button", { name: /^Set .* as default$/, pressed: true })).toHaveAccessibleName(
      "Set Pirate (2) as default",
    );
    await expect(button(second)).toHaveAccessibleDescription("Pirate");
    await callApi(second, { method: "POST", path: "/api/user-system-prompts", body: { name: HOSTILE, content: HOSTILE } });
    await expect(dialog.getByRole("button", { name: `Edit ${HOSTILE}` })).toBeVisible();
    await second.close();
  });
  await page.keyboard.press("Escape");

  const chatId = await test.step("a chat answers as its persona, says so, and takes another one in the middle", async () => {
    await expect(button(page)).toHaveAccessibleDescription("Pirate");
    const id = await ask(page, "show request\nspeed 0");
    await expect(lastTurn(page)).toContainText("PIRATE-1");
    expect(await personaInDetails(page)).toBe("Pirate (2)");
    await composer(page).fill("/persona");
    await composer(page).press("Enter");
    const search = page.getByRole("combobox", { name: "Search personas" });
    await search.press("Home");
    await expect(page.getByText("The model answers without a standing instruction.")).toBeVisible();
    await search.press("Enter");
    await expect(button(page)).toHaveAccessibleDescription("No persona");
    await ask(page, "show request\nspeed 0");
    expect(await personaInDetails(page)).toBeNull();
    await pick(page, "Rubber duck");
    await ask(page, "show request\nspeed 0");
    await expect(lastTurn(page)).toContainText("You help a programmer to find a fault");
    await page.reload();
    await expect(button(page)).toHaveAccessibleDescription("Rubber duck");
    return id;
  });

  await test.step("whom a chat is shared with is notified once that its persona is not theirs", async () => {
    const other = await newDevice();
    const email = await enter(other);
    const share = { type: "user", email, permissionLevel: "editor" };
    await callApi(page, { method: "POST", path: `/api/chat/${chatId}/share`, body: share });
    await other.goto(`/c/${chatId}`);
    await expect(other.getByText(/^This chat's persona is not yours to use, or gone\. .* as Polylogue \(personalized\)\.$/)).toBeVisible();
    await other.reload();
    await expect(button(other)).toHaveAccessibleDescription("Polylogue (perso…");
    await expect(other.getByText(/^This chat's persona/)).toHaveCount(0);
    await other.close();
  });

  await test.step("an earlier version is compared and taken back", async () => {
    await openManager(page);
    await dialog.getByRole("button", { name: "Edit Pirate (2)" }).click();
    await dialog.getByRole("textbox", { name: "Content" }).fill("Answer like PIRATE-2.\nNever swear.");
    // The list shows what was saved before the answer to saving arrives.
    const { asked, tell } = await answerLate(page, { read: "**/api/user-system-prompts", change: "**/api/user-system-prompts/*" });
    await callApi(page, { method: "POST", path: "/api/user-system-prompts", body: { name: "Gardener", content: "You know plants." } });
    await asked;
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("button", { name: "Edit Gardener" })).toBeVisible();
    tell();
    await expect(dialog.getByRole("textbox", { name: "Content" })).toBeHidden();
    await dialog.getByRole("button", { name: "Edit Pirate (2)" }).click();
    await dialog.getByRole("button", { name: "Versions" }).click();
    await expect(dialog.getByRole("region", { name: "Differences" }).getByRole("paragraph")).toHaveText([
      /Removed: Answer like PIRATE-2\.$/,
      /Added: Answer like PIRATE-1\.$/,
      /Never swear\.$/,
    ]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await expect(dialog.getByRole("textbox", { name: "Content" })).toHaveValue("Answer like PIRATE-1.\nNever swear.");
    await page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"));
    await expectReadable(page);
  });

  await test.step("the browser asks before a deletion, and the chat that spoke as it says so once", async () => {
    page.once("dialog", (question) => void question.dismiss());
    await dialog.getByRole("button", { name: "Delete Rubber duck" }).click();
    await expect(dialog.getByRole("button", { name: "Edit Rubber duck" })).toBeVisible();
    page.once("dialog", (question) => void question.accept());
    await dialog.getByRole("button", { name: "Delete Rubber duck" }).click();
    await expect(dialog.getByRole("button", { name: "Edit Rubber duck" })).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Create New Persona" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(
      page.getByText("This chat's persona is not yours to use, or gone. Your messages are answered as Pirate (2)."),
    ).toBeVisible();
    await expect(button(page)).toHaveAccessibleDescription("Pirate");
    await page.goto(`/c/${chatId}`);
    await expect(button(page)).toHaveAccessibleDescription("Pirate");
    await expect(page.getByText(/^This chat's persona/)).toHaveCount(0);
  });

  await test.step("the search palette leads to the personas too", async () => {
    await page.keyboard.press("ControlOrMeta+K");
    await page.getByRole("combobox", { name: /^Search/ }).fill("manage personas");
    await page.getByRole("option", { name: "Manage Personas", exact: true }).click();
    await expect(dialog.getByRole("button", { name: `Edit ${HOSTILE}` })).toBeVisible();
    expect(await page.evaluate(() => "__ran" in window)).toBe(false);
  });
});

furtherTest(
  "on a phone the personas are drawers, of very many those in sight are drawn, and guests are asked to sign in",
  async ({ page, newDevice }) => {
    await page.goto("/");
    await button(page).click();
    const question = page.getByRole("dialog", { name: "Sign in to use personas" });
    await expect(question.getByRole("link", { name: "Sign in" })).toBeVisible();

    const phone = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await enter(phone);
    await phone.goto("/");
    const body = { name: "Kitchen at half past six", content: "Dinner for two in 35 minutes." };
    await callApi(phone, { method: "POST", path: "/api/user-system-prompts", body });
    await button(phone).tap();
    const option = options(phone).filter({ hasText: body.name });
    await expect(option).toBeVisible();
    await expectAccessible(phone);
    await option.tap();
    await expect(button(phone)).toHaveAccessibleDescription("Kitchen at half …");
    await button(phone).tap();
    await phone.getByRole("button", { name: "Manage Personas..." }).tap();
    await manager(phone)
      .getByRole("button", { name: `Edit ${body.name}` })
      .tap();
    await manager(phone).getByRole("textbox", { name: "Name" }).fill("Kitchen");
    await expectAccessible(phone);
    await manager(phone).getByRole("button", { name: "Save" }).tap();
    await expect(manager(phone).getByRole("button", { name: "Edit Kitchen" })).toBeVisible();
    await phone.goBack();
    await expect(manager(phone)).toHaveCount(0);
    await expect(button(phone)).toHaveAccessibleDescription("Kitchen");

    await phone.route("**/api/user-system-prompts", async (route) => {
      const response = await route.fetch();
      const { personas, ...rest } = PersonaList.parse(await response.json());
      const many = Array.from({ length: 499 }, (_, at) => ({ ...personas[1], id: crypto.randomUUID(), name: `Number ${at}` }));
      await route.fulfill({ response, json: { ...rest, personas: [...personas.slice(0, 1), ...many] } });
    });
    await phone.reload();
    await button(phone).tap();
    await expect(options(phone).first()).toHaveAttribute("aria-setsize", "501");
    expect(await options(phone).count()).toBeLessThan(60);
    await phone.getByRole("combobox", { name: "Search personas" }).fill("number 321");
    await expect(options(phone)).toHaveText([/^Number 321/]);
  },
);
