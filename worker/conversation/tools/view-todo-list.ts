import * as z from "zod/mini";
import { todosResult } from "./todo-output.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({});

/** Shows the model the chat's todo list. */
export const viewTodoList: Tool<typeof Input> = {
  id: "viewTodoList",
  description: "Shows this chat's todo list, which the user sees too: each item's id, text, status and place.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  run: async (_input, { todos }) => todosResult(todos),
};
