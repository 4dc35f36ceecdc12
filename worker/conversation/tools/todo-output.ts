import type { TodoList, ToolResult } from "./tool.ts";

/** A todo's text in characters. */
export const TODO_LENGTH = 500;
/** More items than anyone keeps in view; a model in a loop stops here. */
export const TODOS_MAX = 200;

/** The whole list as a model reads it, so it need not ask again after a change. */
export function todosResult(todos: TodoList): ToolResult {
  const list = todos.list().map(({ id, text, status, order_index }) => ({ id, text, status, order_index }));
  return { ok: true, output: JSON.stringify({ todos: list }), isUntrusted: todos.holdsUntrusted() };
}

/** What a model reads about an id that is not in the list. */
export const NO_SUCH_TODO: ToolResult = { ok: false, error: "There is no todo with this id. viewTodoList tells the ids." };
