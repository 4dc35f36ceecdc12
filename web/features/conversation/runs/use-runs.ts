import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { listRuns, stopRun } from "#shared/contracts/chat/runs.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** What a chat's tool calls set going outside, read again with each reported change. */
export function useRuns(chatId: string) {
  useEffect(
    () =>
      onLive((event) => {
        const concernsRuns = (event.type === "runs.changed" && event.chat_id === chatId) || event.type === "hello";
        if (concernsRuns) void queryClient.invalidateQueries({ queryKey: keys.runs(chatId) });
      }),
    [chatId],
  );
  return useQuery({
    queryKey: keys.runs(chatId),
    queryFn: ({ signal }) => call(listRuns, { params: { id: chatId } }, { signal }),
    staleTime: 0,
  });
}

/** Hangs up. */
export function useStopRun(chatId: string, callId: string) {
  return useMutation({
    mutationFn: () => call(stopRun, { params: { id: chatId, callId }, body: {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.runs(chatId) }),
  });
}
