import { callApi, enter } from "./fixtures/api.ts";
import { sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

/** So many paragraphs that only those in sight are drawn. */
const LONG = Array.from({ length: 1_500 }, (_, place) => `Paragraph ${place} is about *nothing* much.`);

test("a search lands on the passage of a long artifact, as it reads and in its source; and it is shared with who has no account", async ({
  page,
  allowConsole,
}) => {
  allowConsole(/the server responded with a status of 404/);
  await enter(page);
  await page.goto("/");
  const content = [...LONG.slice(0, 900), "There the **grey** heron nests by the lake.", ...LONG.slice(900)].join("\n\n");
  await callApi(page, { method: "POST", path: "/api/artifacts", body: { title: "Birds of the marsh", content } });

  await sidebar(page).getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("combobox", { name: "Search" }).fill("grey heron");
  await dialog.getByRole("option", { name: /Birds of the marsh/ }).click();
  await expect(page).toHaveURL(/\/artifacts\/[0-9a-f-]{36}\?passage=grey/);
  const passage = page.getByRole("region", { name: "Preview" }).getByText("heron nests by the lake.");
  await expect(passage).toBeInViewport();
  const marked = () => page.evaluate(() => [...(CSS.highlights.get("artifact-passage") ?? [])].map(String));
  await expect.poll(marked).toEqual(["grey heron nests by the lake"]);

  // In the source, too.
  await page.getByRole("button", { name: "Editor", exact: true }).click();
  const source = page.getByRole("textbox", { name: "Artifact text" });
  await expect(source.getByText("heron nests by the lake.")).toBeInViewport();
  await expect(page.locator(".cm-markedRange").first()).toBeInViewport();

  // Who has no account is invited by mail.
  const email = newAddress();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sharing = page.getByRole("dialog", { name: "Share artifact" });
  await sharing.getByRole("textbox", { name: "Email" }).fill(email);
  await sharing.getByRole("button", { name: "Share", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Not on Polylogue yet" });
  await expect(question).toContainText("the artifact is shared as soon as this address signs up");
  await question.getByRole("button", { name: "Send Invite" }).click();
  const invites = page.getByRole("dialog", { name: "Invites" });
  await expect(invites).toContainText("The artifact is shared as soon as this address signs up.");
  await invites.getByRole("button", { name: "Send invite" }).click();
  await expect(sharing.getByRole("listitem").filter({ hasText: email })).toContainText("Invited, not signed up yet");
});
