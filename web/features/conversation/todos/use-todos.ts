import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { listTodos } from "#shared/contracts/chat/todos.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** A chat's todo list, read when it is shown and again with each reported change. */
export function useTodos(chatId: string) {
  useEffect(
    () =>
      onLive((event) => {
        const concernsTodos = (event.type === "todo.changed" && event.chat_id === chatId) || event.type === "hello";
        if (concernsTodos) void queryClient.invalidateQueries({ queryKey: keys.todos(chatId) });
      }),
    [chatId],
  );
  return useQuery({
    queryKey: keys.todos(chatId),
    queryFn: ({ signal }) => call(listTodos, { params: { id: chatId } }, { signal }),
    staleTime: 0,
  });
}
