import {
  BadgeCheck,
  Blend,
  BookOpenText,
  Globe,
  Images,
  ListChecks,
  ListPlus,
  ListX,
  type LucideIcon,
  PencilLine,
  Phone,
  ScanSearch,
  Send,
  Wrench,
} from "lucide-react";
import { createElement } from "react";

const ICONS = new Map<string, LucideIcon>(
  Object.entries({
    parallelWebSearch: Globe,
    exaCrawl: BookOpenText,
    exaImageSearch: Images,
    viewTodoList: ListChecks,
    addTodoItem: ListPlus,
    updateTodoItem: ListChecks,
    deleteTodoItem: ListX,
    multiModelSynthesis: Blend,
    truthSeekDraft: PencilLine,
    truthSeekCritique: ScanSearch,
    truthSeekRefine: BadgeCheck,
    sendEmail: Send,
    blandCall: Phone,
  }),
);

/** The picture of a tool; a wrench for one that has none. Decorative: its name stands beside it. */
export function ToolIcon({ tool, className }: { tool: string; className: string }) {
  return createElement(ICONS.get(tool) ?? Wrench, { "aria-hidden": true, className });
}
