import * as z from "zod/mini";
import { NO_SUCH_TODO, todosResult } from "./todo-output.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({ id: z.string().check(z.maxLength(100), z.describe("The item's id, as viewTodoList tells it.")) });

/** Removes an item from the chat's todo list. */
export const deleteTodoItem: Tool<typeof Input> = {
  id: "deleteTodoItem",
  description: "Removes an item from this chat's todo list. Mark what is done as complete instead; remove what is no longer wanted.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  run: async ({ id }, { todos }) => (todos.remove(id) ? todosResult(todos) : NO_SUCH_TODO),
};
