import { ListChecks, ListPlus, ListX } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const viewTodos: Partial<ToolPresenter> = {
  name: "View the list",
  icon: ListChecks,
  phrases: () => ({ doing: "Reading the todo list", done: "Read the todo list", infinitive: "read the todo list", about: null }),
};

export const addTodo: Partial<ToolPresenter> = {
  name: "Add an item",
  icon: ListPlus,
  phrases: ({ input }) => ({ doing: "Adding a todo", done: "Added a todo", infinitive: "add a todo", about: firstText(input, "text") }),
};

export const updateTodo: Partial<ToolPresenter> = {
  name: "Change an item",
  icon: ListChecks,
  phrases: ({ input }) => {
    const done = { complete: "Finished a todo", in_progress: "Began a todo" }[firstText(input, "status") ?? ""] ?? "Changed a todo";
    return { doing: "Changing a todo", done, infinitive: "change a todo", about: firstText(input, "text") };
  },
};

export const deleteTodo: Partial<ToolPresenter> = {
  name: "Remove an item",
  icon: ListX,
  phrases: () => ({ doing: "Removing a todo", done: "Removed a todo", infinitive: "remove a todo", about: null }),
};
