import type { Todo } from "#shared/entities/todo.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useTodos } from "./use-todos.ts";
import { Circle, CircleCheck, CircleDot } from "lucide-react";
import { cx } from "#web/ui/cx.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

const STATUS_STYLES = {
  not_started: { icon: Circle, name: "Not started", icons: "text-ink3", text: "text-ink" },
  in_progress: { icon: CircleDot, name: "In progress", icons: "text-signal-ink", text: "font-medium text-ink" },
  complete: { icon: CircleCheck, name: "Complete", icons: "text-accent", text: "text-ink3 line-through" },
} as const;

/** One item and how far it has come. */
function TodoRow({ todo: { text, status } }: { todo: Todo }) {
  const { icon: Icon, name, icons, text: look } = STATUS_STYLES[status];
  return (
    <li className="flex min-h-36 items-start gap-10 py-8 text-14">
      <Icon aria-hidden className={cx("mt-2 size-16", icons)} />
      <span className={cx("min-w-0 flex-1 [overflow-wrap:anywhere]", look)}>{text}</span>
      <span className={status === "in_progress" ? "shrink-0 text-13 text-signal-ink" : "sr-only"}>{name}</span>
    </li>
  );
}

type TodosDialogProps = { chatId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** What the models of a chat plan and have done; they keep the list, it is only shown here. */
export default function TodosDialog({ chatId, open, onOpenChange }: TodosDialogProps) {
  const { data, isError, refetch } = useTodos(chatId);
  const todos = data?.todos;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Todo" subtitle={todos && todos.length > 0 ? progressOf(todos) : undefined}>
      {todos ? (
        <TodoList todos={todos} />
      ) : isError ? (
        <div className="flex items-center gap-12 text-14 text-ink2">
          <p>The todos could not be loaded.</p>
          <TryAgain onClick={() => void refetch()} />
        </div>
      ) : (
        <div aria-hidden className="space-y-8">
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-28 w-3/4" />
        </div>
      )}
    </Dialog>
  );
}

function TodoList({ todos }: { todos: readonly Todo[] }) {
  if (todos.length === 0) {
    return (
      <>
        <p className="text-14 text-ink">No todos yet for this chat</p>
        <p className="mt-4 text-13 text-ink2">Ask for work of several steps, and the model keeps its list here.</p>
      </>
    );
  }
  return (
    <ul aria-label="Todos">
      {todos.map((todo) => (
        <TodoRow key={todo.id} todo={todo} />
      ))}
    </ul>
  );
}

function progressOf(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === "complete").length} of ${todos.length} complete`;
}
