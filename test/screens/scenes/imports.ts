import type { Page } from "@playwright/test";
import { change, fail, hold, scene } from "../scene.ts";

const IMPORTS = /\/api\/imports/;
const NOTES = [
  { kind: "chat", title: "Untitled", reason: "It is not a conversation of ChatGPT." },
  { kind: "file", title: "recording-of-the-committee-2026-11-12-with-a-long-name.m4a", reason: "It is not in the export." },
  { kind: "branch", title: "Which winter tyres for the cargo bike", reason: "One of its versions was empty." },
];

async function openImport(page: Page): Promise<void> {
  await page.goto("/?settings=data");
  await page
    .getByRole("dialog", { name: "Settings" })
    .getByRole("button", { name: /^(Import|Open)$/ })
    .click();
  await page.getByRole("dialog", { name: "Import chats" }).waitFor();
}

/** The newest import as it is in a state. */
async function newestIs(page: Page, state: Record<string, unknown>): Promise<void> {
  await change(page, IMPORTS, (body) => {
    const { imports } = body;
    if (!Array.isArray(imports)) throw new Error("A list of imports was expected.");
    return { ...body, imports: imports.slice(0, 1).map((made: object) => ({ ...made, ...state })) };
  });
  await openImport(page);
}

scene("import", openImport, { as: "newcomer" });
scene("import-report", openImport);
for (const [name, state] of [
  ["stopped", { state: "uploading", ended_at: null }],
  ["ready", { state: "ready", ended_at: null }],
  ["reading", { state: "reading", items: null, done: 0, ended_at: null }],
  ["working", { state: "importing", items: 1_284, done: 431, ended_at: null }],
  ["notes", { notes: NOTES, note_count: 48 }],
  ["failed", { state: "failed", error: "The export could not be read to its end.", can_retry: true }],
  ["cancelled", { state: "cancelled" }],
] as const) {
  scene(`import-${name}`, (page) => newestIs(page, state));
}
scene(
  "import-refused",
  async (page) => {
    await openImport(page);
    await page.getByLabel("Export file").setInputFiles({ name: "empty.json", mimeType: "application/json", buffer: Buffer.from("") });
    await page.getByRole("alert").waitFor();
  },
  { as: "newcomer" },
);
scene("import-failing", async (page) => {
  await fail(page, IMPORTS);
  await openImport(page);
});
scene(
  "import-loading",
  async (page) => {
    await hold(page, IMPORTS);
    await openImport(page);
  },
  { isLoading: true },
);
