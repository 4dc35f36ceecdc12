import type { Todo } from "#shared/entities/todo.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TodoRow } from "./todo-row.tsx";
import { useTodos } from "./use-todos.ts";

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
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
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
