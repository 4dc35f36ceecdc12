import {
  copyArtifact,
  createArtifact,
  editArtifact,
  listArtifacts,
  readArtifact,
  searchArtifacts,
} from "#worker/conversation/tools/artifacts/artifact-tools.ts";
import { addTodoItem } from "#worker/conversation/tools/add-todo-item.ts";
import {
  codegenCreateAgentRun,
  codegenGetAgentRun,
  codegenGetOrganizations,
  codegenGetUser,
  codegenGetUsers,
} from "#worker/integrations/codegen/code-agent-tools.ts";
import { searchIndexedFiles } from "#worker/integrations/google/drive/search-indexed-files.ts";
import { deleteTodoItem } from "#worker/conversation/tools/delete-todo-item.ts";
import { exaCrawl } from "#worker/conversation/tools/exa-crawl.ts";
import { exaImageSearch } from "#worker/conversation/tools/exa-image-search.ts";
import { gmailDraft, gmailRead, gmailSearch, gmailSend } from "#worker/integrations/google/gmail/gmail-tools.ts";
import { multiModelSynthesis } from "#worker/conversation/tools/multi-model-synthesis.ts";
import { blandCall } from "#worker/integrations/phone/bland-call.ts";
import { parallelWebSearch } from "#worker/conversation/tools/parallel-web-search.ts";
import { forgetMemory } from "#worker/conversation/tools/memory/forget-memory.ts";
import { listEmails } from "#worker/conversation/tools/list-emails.ts";
import { remindIfUnanswered } from "#worker/conversation/tools/remind-if-unanswered.ts";
import { saveMemory } from "#worker/conversation/tools/memory/save-memory.ts";
import { cancelSchedule, createSchedule, listSchedules } from "#worker/conversation/schedules/schedule-tools.ts";
import { sendEmail } from "#worker/conversation/tools/send-email.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { truthSeekCritique } from "#worker/conversation/tools/truth-seek-critique.ts";
import { truthSeekDraft } from "#worker/conversation/tools/truth-seek-draft.ts";
import { truthSeekRefine } from "#worker/conversation/tools/truth-seek-refine.ts";
import { updateTodoItem } from "#worker/conversation/tools/update-todo-item.ts";
import { viewTodoList } from "#worker/conversation/tools/view-todo-list.ts";

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
