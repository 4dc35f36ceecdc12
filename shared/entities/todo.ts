import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

export const TodoStatus = z.enum(["not_started", "in_progress", "complete"]);
export type TodoStatus = z.infer<typeof TodoStatus>;

/** An item of a chat's todo list; lists are ordered by `order_index`, then `created_at`. */
export const Todo = z.object({ id: Id, chat_id: Id, text: z.string(), status: TodoStatus, order_index: z.number(), created_at: Timestamp });
export type Todo = z.infer<typeof Todo>;
