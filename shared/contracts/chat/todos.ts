import * as z from "zod/mini";
import { Todo } from "#shared/entities/todo.ts";
import { ChatParams } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const listTodos = endpoint("GET", "/api/chat/:id/todos", {
  summary: "The chat's todo list, in its order; a public page has none",
  access: "user",
  action: "search",
  params: ChatParams,
  response: z.object({ todos: z.array(Todo) }),
});
