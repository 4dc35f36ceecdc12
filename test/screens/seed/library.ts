import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { callApi } from "../../e2e/fixtures/api.ts";
import { pdfOfPages } from "../../support/office-files.ts";
import { DOCUMENT } from "./answers.ts";
import { LONG_TITLE } from "./titles.ts";

const Shared = z.object({ shareUrl: z.string() });

const PERSONAS = [
  [
    "Lighting engineer",
    "You are a lighting engineer with thirty years of quays and bridges. Give numbers with their units, name the standard, and say what you would measure first.",
  ],
  ["Plain words", "Write as to a bright twelve-year-old. Short sentences, no jargon, one example for each claim."],
  ["Sharp editor", "Cut what does not earn its place. Keep the author's voice. Show the shorter text first, then the reasons."],
  ["Portuguese teacher", "Answer in Portuguese of Portugal, then the same in English, then three words to learn."],
] as const;
const PROMPTS = [
  ["Weekly review", "Go through my week: {{notes}}\n\nWhat went well, what did not, and the one thing for next week."],
  ["Shorten", "Shorten this to {{words}} words and keep every number:\n\n{{text}}"],
  ["Minutes", "Make minutes of these notes: decisions, who does what until when, open questions.\n\n{{notes}}"],
  ["Reply politely", "Answer this mail politely and say no:\n\n{{mail}}"],
  ["Check the sum", "Check every sum in this table and show the wrong ones.\n\n{{table}}"],
  ["Explain to the committee", "Explain {{subject}} to a committee of nine people who are not engineers, in half a page."],
] as const;
const TENDER = `Answer a question from the tender by {{client}} in {{word limit}} words at most.
Question: {{question}}
Use only the company facts. Open with what we would do for {{client}}, then one reference of the last three years and what it cost to run.
---
Check the answer against the question, and shorten it by a fifth: {{LAST_ANSWER}}`;
const FACTS = [
  "Runs Nordlicht Studio, a lighting studio of nine people in Hamburg.",
  "Works on the lanterns of the harbour promenade until March.",
  "Prefers answers with numbers first and reasons after.",
  "Writes British English and Portuguese of Portugal.",
  "Has a son of seven who likes bridges.",
  "Does not eat gluten.",
  "Travels by train wherever it takes less than eight hours.",
  "Uses TypeScript and Postgres at work.",
];
const ARTIFACTS = [
  ["Lighting plan of the harbour promenade", DOCUMENT],
  ["Cover letter for the Copenhagen prize", "# To the jury\n\nDark is a material. Since 2011 we have built with it on eleven quays."],
  ["Onboarding checklist", "# The first week\n\n- [x] Key and bicycle\n- [ ] Harbour tour with Karim\n- [ ] Read the two standards"],
  [
    "Minutes of 12 November",
    "# Minutes\n\nPresent: all but Tomás.\n\n## Decisions\n\n1. Larch, not steel.\n2. Two test poles in December.",
  ],
  [LONG_TITLE, "A text whose title is longer than any line that it could stand in."],
] as const;

/** Personas, prompts, knowledge, memories, artifacts, connections and schedules. */
export async function makeLibrary(owner: Page, { team }: { team: string }) {
  const post = (path: string, body: unknown) => callApi(owner, { method: "POST", path, body });
  const share = async (path: string) => Shared.parse(await post(path, {})).shareUrl;
  const personas = PERSONAS.map(([name, content], n) => ({ id: crypto.randomUUID(), name, content, team_id: n === 3 ? team : null }));
  for (const persona of personas) await post("/api/user-system-prompts", persona);
  const prompts = PROMPTS.map(([name, content], n) => ({ id: crypto.randomUUID(), name, content, team_id: n === 2 ? team : null }));
  for (const prompt of prompts) await post("/api/template-messages", prompt);
  const knowledge = crypto.randomUUID();
  await post("/api/user-contexts", {
    id: knowledge,
    name: "Studio handbook",
    text_content: "Day rates: design 920 euros, site visits 680 euros.",
  });
  await post("/api/user-contexts", { name: "Standards", text_content: "EN 13201 in five parts." });
  await post("/api/user-contexts", { name: "Tender documents", text_content: "The city asks for three offers.", team_id: team });
  await putFile(owner, knowledge, "rates.csv", "role,rate\ndesign,920\nsite,680\n");
  await putFile(owner, knowledge, "holidays.md", "# Holidays\n\nThirty days a year, and the week before Christmas.");
  await putFile(owner, knowledge, "house-rules.pdf", Buffer.from(pdfOfPages(["House rules.", "The last one switches off the lights."])));
  await post("/api/template-messages", {
    name: "Tender answer",
    content: TENDER,
    team_id: team,
    model_id: "anthropic/claude-sonnet-4.5",
    persona_id: personas[1]?.id,
    context_ids: [knowledge],
  });
  for (const text of FACTS) await post("/api/memories", { id: crypto.randomUUID(), text });
  const artifacts = ARTIFACTS.map(([title, content]) => ({ id: crypto.randomUUID(), title, content }));
  for (const artifact of artifacts.toReversed()) await post("/api/artifacts", artifact);
  const [first] = artifacts;
  const path = `/api/artifacts/${first?.id}/content`;
  await callApi(owner, {
    method: "PUT",
    path,
    body: { content: DOCUMENT.replace("amber lanterns", "dim amber lanterns"), base_version: 1 },
  });
  const access = { type: "team", teamId: team, permissionLevel: "viewer" };
  await post(`/api/artifacts/${first?.id}/share`, access);
  const server = { name: "Everything", server_url: `${process.env["E2E_MCP"]}/everything/mcp`, auth_type: "none" };
  await post("/api/mcp-connections", server);
  await post("/api/mcp-connections", { ...server, name: "Weather of the coast", server_url: `${process.env["E2E_MCP"]}/weather/mcp` });
  const schedule = { text: "Tell me what the sea and the wind do today.", when: { kind: "weekdays", time: "07:15" } };
  const daily = crypto.randomUUID();
  await post("/api/schedules", { id: daily, title: "Weather at the quay", ...schedule });
  await post(`/api/schedules/${daily}/run`, {});
  const monthly = { text: "List what is due this month.", when: { kind: "monthly", day: 1, time: "09:00" } };
  await post("/api/schedules", { id: crypto.randomUUID(), title: "Invoices of the month", ...monthly });
  await post("/api/feedback", { message: "The new list is much faster. Could tags have their own colours in the inbox, too?" });
  return {
    artifact: first?.id ?? "",
    personaLink: await share(`/api/user-system-prompts/${personas[0]?.id}/share`),
    promptLink: await share(`/api/template-messages/${prompts[0]?.id}/share`),
    knowledgeLink: await share(`/api/user-contexts/${knowledge}/share`),
  };
}

async function putFile(owner: Page, knowledge: string, name: string, data: string | Buffer): Promise<void> {
  const path = `/api/user-contexts/${knowledge}/files/${crypto.randomUUID()}?name=${name}`;
  const response = await owner.request.put(path, { data, headers: { origin: process.env["E2E_URL"] ?? "" } });
  if (!response.ok()) throw new Error(`${name} was answered ${response.status()}: ${await response.text()}`);
}
