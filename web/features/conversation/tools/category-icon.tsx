import {
  BadgeCheck,
  Blend,
  Bot,
  Clock,
  Globe,
  HardDrive,
  Inbox,
  ListChecks,
  type LucideIcon,
  Mail,
  NotebookPen,
  Phone,
  Plug,
  Wrench,
} from "lucide-react";
import { createElement } from "react";

/** The pictures that categories name (`worker/people/tool-settings/categories.ts`); naming any would load them all. */
const ICONS = new Map<string, LucideIcon>(
  Object.entries({
    "badge-check": BadgeCheck,
    blend: Blend,
    bot: Bot,
    clock: Clock,
    globe: Globe,
    "hard-drive": HardDrive,
    inbox: Inbox,
    "list-checks": ListChecks,
    mail: Mail,
    "notebook-pen": NotebookPen,
    phone: Phone,
    plug: Plug,
  }),
);

/** The picture of a tool category by its lucide name; a wrench for one that has none here. */
export function CategoryIcon({ name, className }: { name: string; className: string }) {
  return createElement(ICONS.get(name) ?? Wrench, { "aria-hidden": true, className });
}
