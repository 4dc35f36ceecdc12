import { Circle, CircleCheck, CircleDot } from "lucide-react";
import type { Todo } from "#shared/entities/todo.ts";
import { cx } from "#web/ui/cx.ts";

const LOOKS = {
  not_started: { icon: Circle, name: "Not started", icons: "text-ink3", text: "text-ink" },
  in_progress: { icon: CircleDot, name: "In progress", icons: "text-signal-ink", text: "font-medium text-ink" },
  complete: { icon: CircleCheck, name: "Complete", icons: "text-accent", text: "text-ink3 line-through" },
} as const;

/** One item and how far it has come. */
export function TodoRow({ todo: { text, status } }: { todo: Todo }) {
  const { icon: Icon, name, icons, text: look } = LOOKS[status];
  return (
    <li className="flex min-h-36 items-start gap-10 py-8 text-14">
      <Icon aria-hidden className={cx("mt-2 size-16", icons)} />
      <span className={cx("min-w-0 flex-1 [overflow-wrap:anywhere]", look)}>{text}</span>
      <span className={status === "in_progress" ? "shrink-0 text-13 text-signal-ink" : "sr-only"}>{name}</span>
    </li>
  );
}
