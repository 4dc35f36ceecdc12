import type { Section } from "../section.ts";
import { accountSection } from "./account.ts";
import { artifactsSection } from "./artifacts.ts";
import { chatsSection, sharedChatsSection } from "./chats.ts";
import { folderSection, memorySection, scheduleSection } from "./hub-sections.ts";
import { knowledgeSection } from "./knowledge.ts";
import { librarySection } from "./library.ts";
import { usageSection } from "./usage.ts";

/** What an export holds, in this order; an export under way knows how far it is by the places here. */
export const SECTIONS: readonly Section[] = [
  accountSection,
  librarySection,
  memorySection,
  scheduleSection,
  folderSection,
  artifactsSection,
  knowledgeSection,
  chatsSection,
  sharedChatsSection,
  usageSection,
];
