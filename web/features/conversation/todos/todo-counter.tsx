import { ListChecks } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { useTodos } from "./use-todos.ts";

type TodoCounterProps = { chatId: string; onOpen: () => void };

/** How far a chat's todo list has come, live; nothing where there is none, and on phones, whose bar has no room for it. */
export function TodoCounter(props: TodoCounterProps) {
  return useIsMobile() ? null : <Counter {...props} />;
}

function Counter({ chatId, onOpen }: TodoCounterProps) {
  const todos = useTodos(chatId).data?.todos ?? [];
  if (todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === "complete").length;
  return (
    <Button
      variant="quiet"
      size="sm"
      className="px-10 font-normal tabular-nums"
      aria-label={`Todo, ${done} of ${todos.length} complete`}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <ListChecks aria-hidden className="size-16" />
      {`${done}/${todos.length}`}
    </Button>
  );
}
