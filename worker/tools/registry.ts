import { RESEARCH_STEPS } from "../turn/research/research-tools.ts";
import { copyArtifact, createArtifact, editArtifact, listArtifacts, readArtifact, searchArtifacts } from "./artifacts/artifact-tools.ts";
import { addTodoItem } from "./add-todo-item.ts";
import {
  codegenCreateAgentRun,
  codegenGetAgentRun,
  codegenGetOrganizations,
  codegenGetUser,
  codegenGetUsers,
} from "./codegen/code-agent-tools.ts";
import { searchIndexedFiles } from "./drive/search-indexed-files.ts";
import { deleteTodoItem } from "./delete-todo-item.ts";
import { exaCrawl } from "./exa-crawl.ts";
import { exaImageSearch } from "./exa-image-search.ts";
import { gmailDraft, gmailRead, gmailSearch, gmailSend } from "./gmail/gmail-tools.ts";
import { multiModelSynthesis } from "./multi-model-synthesis.ts";
import { blandCall } from "./phone/bland-call.ts";
import { parallelWebSearch } from "./parallel-web-search.ts";
import { forgetMemory } from "./memory/forget-memory.ts";
import { listEmails } from "./list-emails.ts";
import { remindIfUnanswered } from "./remind-if-unanswered.ts";
import { saveMemory } from "./memory/save-memory.ts";
import { cancelSchedule, createSchedule, listSchedules } from "./schedules/schedule-tools.ts";
import { searchKnowledge } from "./knowledge/search-knowledge.ts";
import { sendEmail } from "./send-email.ts";
import type { Tool } from "./tool.ts";
import { truthSeekCritique } from "./truth-seek-critique.ts";
import { truthSeekDraft } from "./truth-seek-draft.ts";
import { truthSeekRefine } from "./truth-seek-refine.ts";
import { updateTodoItem } from "./update-todo-item.ts";
import { viewTodoList } from "./view-todo-list.ts";

/** Every tool there is, in the order in which models see them. Tests add tools of their own. */
export const TOOLS: Tool[] = [
  parallelWebSearch,
  exaCrawl,
  exaImageSearch,
  viewTodoList,
  addTodoItem,
  updateTodoItem,
  deleteTodoItem,
  listArtifacts,
  readArtifact,
  createArtifact,
  copyArtifact,
  editArtifact,
  searchArtifacts,
  listEmails,
  sendEmail,
  remindIfUnanswered,
  gmailSearch,
  gmailRead,
  gmailDraft,
  gmailSend,
  blandCall,
  codegenCreateAgentRun,
  codegenGetAgentRun,
  codegenGetOrganizations,
  codegenGetUsers,
  codegenGetUser,
  multiModelSynthesis,
  truthSeekDraft,
  truthSeekCritique,
  truthSeekRefine,
  searchIndexedFiles,
  saveMemory,
  forgetMemory,
  createSchedule,
  listSchedules,
  cancelSchedule,
];

/** Tools that a turn carries where it has what they need, and no setting of anybody's turns off. */
const TURN_TOOLS: readonly Tool[] = [searchKnowledge];

/** The tool or step of a research with this id, or null for one that doesn't exist (any more). */
export function findTool(id: string): Tool | null {
  return [...TOOLS, ...TURN_TOOLS, ...RESEARCH_STEPS].find((tool) => tool.id === id) ?? null;
}

/** True for a tool that guests do not get: it acts outside, or is about what accounts alone have. */
export function isForAccounts({ actsOutside, isForAccounts: isOfAccounts = false }: Tool): boolean {
  return actsOutside || isOfAccounts;
}
