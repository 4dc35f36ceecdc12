import { enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { answered, lastTurn, modelButton, pickModel, send, sidebar } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const QUESTIONS = [
  { question: "Who measures the rivers?", queries: ["fault hang"] },
  { question: "Which old bridges stand?", queries: ["stone bridges"] },
  { question: "How are floods forecast?", queries: ["floods forecast"] },
];

test("a research says first what it may cost, shows its plan and steps, and writes its report from what was found before it was stopped", async ({
  page,
}) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "deep research");
  await expect(page.getByRole("note", { name: "Deep Research" })).toContainText(/^~\$\d+\.\d\d, 2–5 minutes with /);
  await expect(page.getByRole("button", { name: "Select tools" })).toHaveAccessibleDescription(/has its own tools/);
  await send(page, `say ${JSON.stringify({ questions: QUESTIONS })}`);
  await page.waitForURL("**/c/*");
  const turn = lastTurn(page);
  const plan = turn.getByRole("list", { name: "Plan" });
  await expect(plan.getByRole("button", { name: /^Done: .* \d sources/ })).toHaveCount(2);
  await expect(turn.getByRole("button", { name: /^Looking into 3 questions 2 of 3 done/ })).toHaveAttribute("aria-expanded", "true");
  await expect(plan.getByRole("button", { name: /^Who measures the rivers\? Searching/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(plan).toHaveCount(0);
  // What is asked next is no research by itself.
  await expect(modelButton(page)).toContainText("Auto");
  await turn.getByRole("button", { name: "Continue" }).click();
  await answered(page);
  await expect(turn.getByRole("heading", { name: "What stays uncertain" })).toBeVisible();

  await turn.getByRole("button", { name: /^Researched 3 questions/ }).click();
  await expect(plan.getByRole("button", { name: /^Who measures the rivers\? Stopped/ })).toBeVisible();
  await plan.getByRole("button", { name: /^Done: Which old bridges stand/ }).click();
  await turn
    .getByRole("list", { name: "Steps" })
    .getByRole("button", { name: /^Search/ })
    .click();
  await expect(turn.getByRole("link", { name: /^Source \d+: Rivers and their bridges/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await turn.getByRole("button", { name: "Details" }).click();
  await expect(page.getByRole("dialog", { name: "Details" })).toContainText("Deep Research");
});

furtherTest("a research goes on without its reader, and tells them when it is finished", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await startChat(page, "say Here.");
  // News arrive once the page is told of the chat by itself.
  await expect(sidebar(page).getByText("Here.").first()).toBeVisible();
  const { chatId } = await startChat(page, "How do floods take bridges?", "deep-research");
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts.getByText("Research finished")).toBeVisible();
  await toasts.getByRole("button", { name: "Open" }).click();
  await expect(page).toHaveURL(`/c/${chatId}`);
  await expect(lastTurn(page).getByRole("button", { name: /^Researched 5 questions/ })).toHaveAttribute("aria-expanded", "false");
});

furtherTest("Auto names the model that answered, above the answer and in its details", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "auto");
  await send(page, "say Hello.");
  await page.waitForURL("**/c/*");
  await answered(page);
  const turn = lastTurn(page);
  const name = (await turn.getByRole("heading").first().innerText()).trim();
  expect(name).not.toMatch(/auto/i);
  await turn.getByRole("button", { name: "Details" }).click();
  const details = page.getByRole("dialog", { name: "Details" });
  await expect(details).toContainText("Auto");
  await expect(details).toContainText(name);
});
