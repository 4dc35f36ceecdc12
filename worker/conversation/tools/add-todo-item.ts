import * as z from "zod/mini";
import { TodoStatus } from "#shared/entities/todo.ts";
import { TODO_LENGTH, TODOS_MAX, todosResult } from "./todo-output.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(TODO_LENGTH), z.describe("What is to be done, in a few words.")),
  status: z.optional(TodoStatus.check(z.describe("not_started unless given."))),
  order_index: z.optional(z.number().check(z.describe("Its place: smaller numbers come first. At the end unless given."))),
});

/** Adds an item to the chat's todo list. */
export const addTodoItem: Tool<typeof Input> = {
  id: "addTodoItem",
  description:
    "Adds an item to this chat's todo list. Use the list for work of several steps, so that the user sees what is planned and done; one call for each item.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  async run({ text, status = "not_started", order_index = null }, { todos }) {
    if (todos.list().length >= TODOS_MAX) return { ok: false, error: `The list is full: it holds at most ${TODOS_MAX} items.` };
    todos.add({ text, status, order_index });
    return todosResult(todos);
  },
};
