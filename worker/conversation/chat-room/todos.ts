import { type Todo, TodoStatus } from "#shared/entities/todo.ts";
import type { TodoList } from "#worker/conversation/tools/tool.ts";

type Row = { id: string; text: string; status: string; order_index: number; created_at: string; trusted_for: string | null };

type Options = {
  chatId: string;
  onChanged: () => void;
  /** Whose turn it is. */
  readerId: string;
  /** The person for whom what is written is no untrusted text; null where it is for everybody. */
  trustedFor: string | null;
};

/** The chat's todos by `order_index`, then by age. */
export function listTodos(sql: SqlStorage, chatId: string): Todo[] {
  return sql
    .exec<Row>("SELECT * FROM todos ORDER BY order_index, created_at, id")
    .toArray()
    .map((row) => toTodo(row, chatId));
}

/** Adds items as they are, which anyone may have written. */
export function insertTodos(sql: SqlStorage, todos: readonly Omit<Todo, "chat_id">[]): void {
  for (const { id, text, status, order_index, created_at } of todos) {
    const insert = "INSERT INTO todos (id, text, status, order_index, created_at) VALUES (?, ?, ?, ?, ?)";
    sql.exec(insert, id, text, status, order_index, created_at);
  }
}

/** The chat's todo list as tools change it; `onChanged` is called after each change. */
export function openTodos(sql: SqlStorage, { chatId, onChanged, readerId, trustedFor }: Options): TodoList {
  function find(id: string): Todo | null {
    const row = sql.exec<Row>("SELECT * FROM todos WHERE id = ?", id).toArray()[0];
    return row ? toTodo(row, chatId) : null;
  }

  return {
    list: () => listTodos(sql, chatId),
    add({ text, status, order_index }) {
      const id = crypto.randomUUID();
      sql.exec(
        `INSERT INTO todos (id, text, status, order_index, created_at, trusted_for)
         SELECT ?, ?, ?, COALESCE(?, (SELECT MAX(order_index) + 1 FROM todos), 0), ?, ?`,
        id,
        text,
        status,
        order_index,
        new Date().toISOString(),
        trustedFor,
      );
      onChanged();
      return find(id) ?? neverStored();
    },
    update(id, change) {
      const before = find(id);
      if (!before) return null;
      const { text = before.text, status = before.status, order_index = before.order_index } = change;
      sql.exec(
        "UPDATE todos SET text = ?, status = ?, order_index = ?, trusted_for = CASE WHEN ? THEN ? ELSE trusted_for END WHERE id = ?",
        text,
        status,
        order_index,
        Number(change.text !== undefined),
        trustedFor,
        id,
      );
      onChanged();
      return { ...before, text, status, order_index };
    },
    remove(id) {
      const before = find(id);
      if (!before) return null;
      sql.exec("DELETE FROM todos WHERE id = ?", id);
      onChanged();
      return before;
    },
    holdsUntrusted: () => sql.exec("SELECT 1 FROM todos WHERE trusted_for IS NOT ? LIMIT 1", readerId).toArray().length > 0,
  };
}

function toTodo({ trusted_for: _trusted, ...row }: Row, chatId: string): Todo {
  return { ...row, chat_id: chatId, status: TodoStatus.parse(row.status) };
}

function neverStored(): never {
  throw new Error("A todo was not stored.");
}
