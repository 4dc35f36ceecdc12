import * as z from "zod/mini";
import { TodoStatus } from "#shared/entities/todo.ts";
import { NO_SUCH_TODO, TODO_LENGTH, todosResult } from "./todo-output.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  id: z.string().check(z.maxLength(100), z.describe("The item's id, as viewTodoList tells it.")),
  text: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(TODO_LENGTH))),
  status: z.optional(TodoStatus),
  order_index: z.optional(z.number().check(z.describe("Its place: smaller numbers come first."))),
});

/** Changes an item of the chat's todo list. */
export const updateTodoItem: Tool<typeof Input> = {
  id: "updateTodoItem",
  description:
    "Changes an item of this chat's todo list: its status as work goes on (in_progress when you begin, complete when it is done), its text or its place.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  run: async ({ id, ...change }, { todos }) => (todos.update(id, change) ? todosResult(todos) : NO_SUCH_TODO),
};
