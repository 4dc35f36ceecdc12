import {
  AlarmClock,
  BadgeCheck,
  Blend,
  BookOpenText,
  BookmarkCheck,
  BookmarkX,
  Bot,
  Building2,
  CalendarClock,
  CalendarX,
  FilePen,
  FilePlus2,
  FileSearch,
  FileText,
  Files,
  Globe,
  HardDrive,
  Images,
  Inbox,
  ListChecks,
  ListPlus,
  ListX,
  MailOpen,
  Mails,
  PencilLine,
  Phone,
  ScanSearch,
  Send,
  User,
  Users,
} from "lucide-react";
import { FORGET_MEMORY, SAVE_MEMORY } from "#shared/memory-tools.ts";
import { SEARCH_DRIVE } from "#shared/private-tools.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { groupedNumber } from "#web/lib/phone-number.ts";
import { firstText, hostOf, listOf } from "../tool-input.ts";
import { failedFigure, plainPresenter } from "./plain.tsx";
import type { ToolPresenter } from "./tool-presenter.ts";

const GMAIL_LABELS = { cc: "Copy", bcc: "Blind copy", reply_to: "Answers", draft_id: "Draft" };

/** How the product's own tools are shown, by id. What is left out here is shown as that of any tool. */
const PRESENTERS: Readonly<Record<string, Partial<ToolPresenter>>> = {
  parallelWebSearch: {
    name: "Search the web",
    icon: Globe,
    phrases: ({ input }) => ({
      doing: "Searching the web",
      done: "Searched the web",
      infinitive: "search the web",
      about: after("for", firstText(input, "search_queries", "query", "objective")),
    }),
  },
  exaCrawl: {
    name: "Read web pages",
    icon: BookOpenText,
    phrases: ({ input }) => {
      const urls = listOf(input, "urls", "url");
      const what = urls.length === 1 ? hostOf(urls[0] ?? "") : `${urls.length} pages`;
      const about = urls.length > 1 ? [...new Set(urls.map(hostOf))].join(", ") : null;
      return { doing: `Reading ${what}`, done: `Read ${what}`, infinitive: `read ${what}`, about };
    },
    // How many it was asked to read its words say.
    figures: ({ sources }) => failedFigure(sources),
  },
  exaImageSearch: {
    name: "Search for images",
    icon: Images,
    phrases: ({ input }) => ({
      doing: "Searching for images",
      done: "Searched for images",
      infinitive: "search for images",
      about: after("of", firstText(input, "query")),
    }),
  },
  viewTodoList: {
    name: "View the list",
    icon: ListChecks,
    phrases: () => ({ doing: "Reading the todo list", done: "Read the todo list", infinitive: "read the todo list", about: null }),
  },
  addTodoItem: {
    name: "Add an item",
    icon: ListPlus,
    phrases: ({ input }) => ({ doing: "Adding a todo", done: "Added a todo", infinitive: "add a todo", about: firstText(input, "text") }),
  },
  updateTodoItem: {
    name: "Change an item",
    icon: ListChecks,
    phrases: ({ input }) => {
      const done = { complete: "Finished a todo", in_progress: "Began a todo" }[firstText(input, "status") ?? ""] ?? "Changed a todo";
      return { doing: "Changing a todo", done, infinitive: "change a todo", about: firstText(input, "text") };
    },
  },
  deleteTodoItem: {
    name: "Remove an item",
    icon: ListX,
    phrases: () => ({ doing: "Removing a todo", done: "Removed a todo", infinitive: "remove a todo", about: null }),
  },
  multiModelSynthesis: {
    name: "Ask several models",
    icon: Blend,
    phrases: ({ input, parts }) => {
      const count = parts.length || listOf(input, "models").length;
      const whom = count > 0 ? `${count} models` : "several models";
      return { doing: `Asking ${whom}`, done: `Asked ${whom}`, infinitive: `ask ${whom}`, about: firstText(input, "question", "prompt") };
    },
  },
  truthSeekDraft: {
    name: "Draft",
    icon: PencilLine,
    phrases: ({ input }) => ({
      doing: "Drafting an answer",
      done: "Drafted an answer",
      infinitive: "draft an answer",
      about: firstText(input, "question", "prompt"),
    }),
  },
  truthSeekCritique: {
    name: "Critique",
    icon: ScanSearch,
    phrases: () => ({ doing: "Checking the draft", done: "Checked the draft", infinitive: "check the draft", about: null }),
  },
  truthSeekRefine: {
    name: "Refine",
    icon: BadgeCheck,
    phrases: () => ({ doing: "Refining the answer", done: "Refined the answer", infinitive: "refine the answer", about: null }),
  },
  [RESEARCH_TOOLS.plan]: {
    name: "Plan a research",
    phrases: () => ({ doing: "Planning the research", done: "Planned the research", infinitive: "plan the research", about: null }),
  },
  [RESEARCH_TOOLS.question]: {
    name: "Search and read",
    phrases: ({ input }) => ({ doing: "Looking into", done: "Looked into", infinitive: "look into", about: firstText(input, "question") }),
  },
  [RESEARCH_TOOLS.gaps]: {
    name: "Check for gaps",
    phrases: () => ({
      doing: "Checking what is missing",
      done: "Checked what is missing",
      infinitive: "check what is missing",
      about: null,
    }),
  },
  listArtifacts: {
    name: "List artifacts",
    icon: Files,
    phrases: () => ({ doing: "Listing artifacts", done: "Listed artifacts", infinitive: "list your artifacts", about: null }),
  },
  readArtifact: {
    name: "Read an artifact",
    icon: FileText,
    phrases: () => ({ doing: "Reading an artifact", done: "Read an artifact", infinitive: "read an artifact", about: null }),
  },
  createArtifact: {
    name: "Create an artifact",
    icon: FilePlus2,
    phrases: ({ input }) => ({
      doing: "Writing an artifact",
      done: "Created an artifact",
      infinitive: "create an artifact",
      about: firstText(input, "title"),
    }),
  },
  copyArtifact: {
    name: "Copy an artifact",
    icon: Files,
    phrases: ({ input }) => ({
      doing: "Copying an artifact",
      done: "Copied an artifact",
      infinitive: "copy an artifact",
      about: firstText(input, "title"),
    }),
  },
  editArtifact: {
    name: "Edit an artifact",
    icon: FilePen,
    phrases: () => ({ doing: "Editing an artifact", done: "Edited an artifact", infinitive: "edit an artifact", about: null }),
  },
  searchArtifacts: {
    name: "Search artifacts",
    icon: FileSearch,
    phrases: ({ input }) => ({
      doing: "Searching artifacts",
      done: "Searched artifacts",
      infinitive: "search your artifacts",
      about: firstText(input, "query"),
    }),
  },
  listEmails: {
    name: "List emails",
    icon: Mails,
    phrases: () => ({ doing: "Reading the chat's mails", done: "Read the chat's mails", infinitive: "read the chat's mails", about: null }),
  },
  sendEmail: {
    name: "Send email",
    icon: Send,
    brief: (input) => {
      const copies = listOf(input, "cc");
      const to = `to ${listOf(input, "to").join(", ")}`;
      return {
        about: copies.length === 0 ? to : `${to}, cc ${copies.join(", ")}`,
        lead: firstText(input, "subject"),
        text: firstText(input, "body") ?? "",
      };
    },
    phrases: ({ input }) => ({
      doing: "Sending a mail",
      done: "Sent a mail",
      infinitive: "send a mail",
      about: firstText(input, "subject"),
    }),
  },
  remindIfUnanswered: {
    name: "Remind if unanswered",
    icon: AlarmClock,
    phrases: ({ input }) =>
      firstText(input, "by") === null
        ? { doing: "Calling a reminder off", done: "Called a reminder off", infinitive: "call a reminder off", about: null }
        : { doing: "Setting a reminder", done: "Set a reminder", infinitive: "set a reminder", about: "in case nobody answers" },
  },
  gmailSearch: {
    name: "Search Gmail",
    icon: Inbox,
    phrases: ({ input }) => ({
      doing: "Searching Gmail",
      done: "Searched Gmail",
      infinitive: "search Gmail",
      about: firstText(input, "query"),
    }),
  },
  gmailRead: {
    name: "Read Gmail",
    icon: MailOpen,
    phrases: () => ({ doing: "Reading mail in Gmail", done: "Read mail in Gmail", infinitive: "read mail in Gmail", about: null }),
  },
  gmailDraft: {
    name: "Keep a draft in Gmail",
    icon: PencilLine,
    labels: GMAIL_LABELS,
    phrases: ({ input }) => ({
      doing: "Keeping a draft in Gmail",
      done: "Kept a draft in Gmail",
      infinitive: "keep a draft in Gmail",
      about: firstText(input, "subject") ?? firstText(input, "to"),
    }),
  },
  gmailSend: {
    name: "Send by Gmail",
    icon: Send,
    labels: GMAIL_LABELS,
    phrases: ({ input }) => ({
      doing: "Sending a mail from your Gmail",
      done: "Sent a mail from Gmail",
      infinitive: "send a mail from your Gmail",
      about: firstText(input, "subject") ?? firstText(input, "to"),
    }),
  },
  [SEARCH_DRIVE]: {
    name: "Search Google Drive",
    icon: HardDrive,
    phrases: ({ input }) => {
      const query = firstText(input, "query");
      return {
        doing: "Searching your Drive",
        done: "Searched your Drive",
        infinitive: "search your Drive",
        about: query === null ? null : `for ${query}`,
      };
    },
  },
  [SAVE_MEMORY]: {
    name: "Remember a fact",
    icon: BookmarkCheck,
    phrases: ({ input }) => ({
      doing: "Remembering a fact",
      done: "Remembered",
      infinitive: "remember a fact",
      about: firstText(input, "fact"),
    }),
  },
  [FORGET_MEMORY]: {
    name: "Forget a fact",
    icon: BookmarkX,
    phrases: () => ({ doing: "Forgetting a fact", done: "Forgot a fact", infinitive: "forget a fact", about: null }),
  },
  createSchedule: {
    name: "Set a schedule",
    icon: CalendarClock,
    phrases: ({ input }) => ({
      doing: "Setting a schedule",
      done: "Set a schedule",
      infinitive: "set a schedule",
      about: firstText(input, "when"),
    }),
  },
  listSchedules: {
    name: "List schedules",
    icon: ListChecks,
    phrases: () => ({ doing: "Reading your schedules", done: "Read your schedules", infinitive: "read your schedules", about: null }),
  },
  cancelSchedule: {
    name: "Delete a schedule",
    icon: CalendarX,
    phrases: () => ({ doing: "Deleting a schedule", done: "Deleted a schedule", infinitive: "delete a schedule", about: null }),
  },
  blandCall: {
    name: "Call a number",
    icon: Phone,
    labels: { phone_number: "Number", first_sentence: "Begins", max_duration: "Minutes" },
    brief: (input) => ({ about: numberOf(input), lead: null, text: firstText(input, "task") ?? "" }),
    phrases: ({ input }) => {
      const number = numberOf(input) ?? "a number";
      return { doing: `Calling ${number}`, done: `Call to ${number}`, infinitive: `call ${number}`, about: null };
    },
  },
  codegenCreateAgentRun: {
    name: "Start a code agent run",
    icon: Bot,
    labels: { prompt: "Task", repo_id: "Repository" },
    phrases: ({ input }) => ({
      doing: "Starting the code agent",
      done: "Started the code agent",
      infinitive: "start the code agent",
      about: firstText(input, "prompt"),
    }),
  },
  codegenGetAgentRun: {
    name: "Look at a code agent run",
    icon: Bot,
    phrases: () => ({ doing: "Looking at a run", done: "Looked at a run", infinitive: "look at a run of the code agent", about: null }),
  },
  codegenGetOrganizations: {
    name: "List the code agent's organizations",
    icon: Building2,
    phrases: () => ({
      doing: "Listing organizations",
      done: "Listed organizations",
      infinitive: "list the code agent's organizations",
      about: null,
    }),
  },
  codegenGetUsers: {
    name: "List the code agent's people",
    icon: Users,
    phrases: () => ({ doing: "Listing people", done: "Listed people", infinitive: "list the code agent's people", about: null }),
  },
  codegenGetUser: {
    name: "Look up one of the code agent's people",
    icon: User,
    phrases: () => ({
      doing: "Looking somebody up",
      done: "Looked somebody up",
      infinitive: "look up one of the code agent's people",
      about: null,
    }),
  },
};

/** How a tool is shown; one that is not known here, in plain words and as text. */
export function presenterOf(id: string): ToolPresenter {
  return { ...plainPresenter(id), ...(isKnownTool(id) && PRESENTERS[id]) };
}

/** Whether an id is one of the product's own tools, and no model's. */
export function isKnownTool(id: string): boolean {
  return Object.hasOwn(PRESENTERS, id);
}

function after(word: string, text: string | null): string | null {
  return text === null ? null : `${word} ${text}`;
}

function numberOf(input: unknown): string | null {
  const number = firstText(input, "phone_number");
  return number === null ? null : groupedNumber(number);
}
