import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  createMemory,
  forgetAllMemories,
  forgetMemory,
  importMemories,
  listMemories,
  listMemoryHistory,
  restoreMemory,
  undoMemory,
  updateMemory,
} from "#shared/contracts/memories.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { followChanges, onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { forgetImported } from "./import-draft.ts";
import type { MemoryImport } from "#shared/entities/memory.ts";
import { importReport } from "#shared/memory-import.ts";

/** The whole memory, kept current while it is shown. */
export function useMemories() {
  useEffect(follow, []);
  return useQuery({ queryKey: keys.memories, queryFn: ({ signal }) => call(listMemories, {}, { signal }), staleTime: lifetimes.short });
}

/** These facts, whatever became of them; of another's memory there are none. */
export function useMemoriesOf(ids: readonly string[]) {
  useEffect(follow, []);
  const query = useQuery({
    queryKey: keys.memoriesOf(ids),
    queryFn: ({ signal }) => call(listMemories, { query: { ids: ids.join(",") } }, { signal }),
    staleTime: lifetimes.short,
    enabled: ids.length > 0,
  });
  return { ...query, memories: query.data?.memories ?? [] };
}

/** What a fact said before. */
export function useMemoryHistory(id: string, isShown: boolean) {
  return useQuery({
    queryKey: keys.memoryHistory(id),
    queryFn: ({ signal }) => call(listMemoryHistory, { params: { id } }, { signal }),
    enabled: isShown,
    staleTime: 0,
  });
}

function follow(): () => void {
  return followChanges((event) => event.type === "memory.import" || (event.type === "content.changed" && event.kind === "memory"), reread);
}

function reread(): void {
  void queryClient.invalidateQueries({ queryKey: keys.memories });
}

/** What can be done with facts; each is read again when it is done. */
export function useChangeMemories() {
  const userId = useSession().user?.id ?? "";
  const onSettled = reread;
  return {
    add: useMutation({ mutationFn: (fact: { id: string; text: string }) => call(createMemory, { body: fact }), onSettled }),
    change: useMutation({
      mutationFn: ({ id, text }: { id: string; text: string }) => call(updateMemory, { params: { id }, body: { text } }),
      onSettled,
    }),
    forget: useMutation({
      mutationFn: (id: string) => call(forgetMemory, { params: { id } }),
      onSettled,
      onError: (error) => toastFailure("The fact was not forgotten", error),
    }),
    keep: useMutation({
      mutationFn: (id: string) => call(restoreMemory, { params: { id } }),
      onSettled,
      onError: (error) => toastFailure("The fact was not kept", error),
    }),
    undo: useMutation({
      mutationFn: (id: string) => call(undoMemory, { params: { id } }),
      onSettled,
      onError: (error) => toastFailure("That was not undone", error),
    }),
    forgetAll: useMutation({
      mutationFn: () => call(forgetAllMemories, {}),
      onSettled,
      onError: (error) => toastFailure("Your memory was not erased", error),
    }),
    importFacts: useMutation({
      mutationFn: (text: string) => call(importMemories, { body: { text } }),
      onSuccess({ id }, text) {
        forgetImported(userId, text);
        void notifyWhenImported(id);
      },
      onSettled,
      onError: (error) => toastFailure("Failed to start memory import", error),
    }),
  };
}

/** Says once what became of an imported list, wherever its person is in the product by then. */
async function notifyWhenImported(id: string): Promise<void> {
  let isNotified = false;
  const hear = (last: MemoryImport | null) => {
    if (last?.id !== id || last.state === "running" || isNotified) return;
    isNotified = true;
    stop();
    toast({
      title: last.state === "done" ? "Memories imported" : "The memory import stopped",
      description: importReport(last),
      tone: last.state === "done" ? "success" : "danger",
    });
  };
  const stop = onLive((event) => event.type === "memory.import" && hear(event.import));
  // It may have ended before this was listened for.
  const { last_import: last } = await call(listMemories, { query: { ids: id } });
  hear(last);
}
