import { FORGET_MEMORY, SAVE_MEMORY } from "#shared/memory-tools.ts";
import { SEARCH_DRIVE } from "#shared/private-tools.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { copyArtifact, createArtifact, editArtifact, listArtifacts, readArtifact, searchArtifacts } from "./artifacts.ts";
import { draftInGmail, readGmail, searchGmail, sendByGmail } from "./gmail.ts";
import { readMails, remindOfMail, sendMail } from "./mail.ts";
import { forget, remember } from "./memory.ts";
import { searchDrive } from "./drive.ts";
import { beginRun, callNumber, listCodegenPeople, listOrganizations, readCodegenPerson, readRun } from "./outside.ts";
import { askSeveral, critique, draft, refine } from "./other-models.ts";
import { plainPresenter } from "./plain.tsx";
import { findGaps, lookInto, planResearch } from "./research.ts";
import { endSchedule, readSchedules, setSchedule } from "./schedules.ts";
import { addTodo, deleteTodo, updateTodo, viewTodos } from "./todos.ts";
import type { ToolPresenter } from "./tool-presenter.ts";
import { readPages, searchImages, searchTheWeb } from "./web-search.ts";

/** The product's own tools by id. What a presenter leaves out is shown as that of any tool. */
const PRESENTERS = new Map<string, Partial<ToolPresenter>>([
  ["parallelWebSearch", searchTheWeb],
  ["exaCrawl", readPages],
  ["exaImageSearch", searchImages],
  ["viewTodoList", viewTodos],
  ["addTodoItem", addTodo],
  ["updateTodoItem", updateTodo],
  ["deleteTodoItem", deleteTodo],
  ["multiModelSynthesis", askSeveral],
  ["truthSeekDraft", draft],
  ["truthSeekCritique", critique],
  ["truthSeekRefine", refine],
  [RESEARCH_TOOLS.plan, planResearch],
  [RESEARCH_TOOLS.question, lookInto],
  [RESEARCH_TOOLS.gaps, findGaps],
  ["listArtifacts", listArtifacts],
  ["readArtifact", readArtifact],
  ["createArtifact", createArtifact],
  ["copyArtifact", copyArtifact],
  ["editArtifact", editArtifact],
  ["searchArtifacts", searchArtifacts],
  ["listEmails", readMails],
  ["sendEmail", sendMail],
  ["remindIfUnanswered", remindOfMail],
  ["gmailSearch", searchGmail],
  ["gmailRead", readGmail],
  ["gmailDraft", draftInGmail],
  ["gmailSend", sendByGmail],
  [SEARCH_DRIVE, searchDrive],
  [SAVE_MEMORY, remember],
  [FORGET_MEMORY, forget],
  ["createSchedule", setSchedule],
  ["listSchedules", readSchedules],
  ["cancelSchedule", endSchedule],
  ["blandCall", callNumber],
  ["codegenCreateAgentRun", beginRun],
  ["codegenGetAgentRun", readRun],
  ["codegenGetOrganizations", listOrganizations],
  ["codegenGetUsers", listCodegenPeople],
  ["codegenGetUser", readCodegenPerson],
]);

/** How a tool is shown; one that is not known here, in plain words and as text. */
export function presenterOf(id: string): ToolPresenter {
  return { ...plainPresenter(id), ...PRESENTERS.get(id) };
}

/** Whether an id is one of the product's own tools, and no model's. */
export function isKnownTool(id: string): boolean {
  return PRESENTERS.has(id);
}
