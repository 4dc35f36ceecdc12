import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import type { ToolCall, ToolDecision } from "#shared/entities/tool-call.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { stored } from "#web/lib/storage.ts";
import { applyEdits, type FieldEdits, realEdits } from "./approval-fields.ts";

/** A decision, with what an approval adds to the call's input. */
type Word = { decision: ToolDecision; more?: Readonly<Record<string, unknown>> | undefined };

/** A call that waits for this person's word: its edits, kept in this browser until they are sent, and how to give the word. */
export function useApproval(chatId: string, waiting: ToolCall, onDecided?: (callId: string, decision: ToolDecision | null) => void) {
  const storedEdits = stored<FieldEdits>(`approval:${waiting.id}`, z.record(z.string(), z.string()), {});
  const [edits, setEdits] = useState(storedEdits.read);
  const [problem, setProblem] = useState<{ field: string; error: string } | null>(null);

  const decide = useMutation({
    mutationFn: ({ decision, more }: Word) => {
      const changed = realEdits(waiting.input, edits);
      const isAsWritten = decision === "discard" || (Object.keys(changed).length === 0 && !more);
      const edited = isAsWritten ? null : applyEdits(waiting.input, changed);
      return call(decideToolCall, {
        params: { id: chatId, callId: waiting.id },
        body: { decision, ...(edited?.ok && { input: { ...edited.input, ...more } }) },
      });
    },
    onSuccess: (_answer, { decision }) => {
      storedEdits.remove();
      onDecided?.(waiting.id, decision);
      return queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
    },
    onError: (error) => {
      // Decided elsewhere: what became of it is shown in the card's place.
      if (error instanceof ApiError && error.code === "ALREADY_DECIDED") {
        storedEdits.remove();
        onDecided?.(waiting.id, null);
        void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
      }
    },
  });

  const edit = (name: string, text: string) => {
    const next = realEdits(waiting.input, { ...edits, [name]: text });
    setEdits(next);
    setProblem(null);
    decide.reset();
    if (Object.keys(next).length === 0) storedEdits.remove();
    else storedEdits.write(next);
  };

  return {
    edits,
    edit,
    /** Takes all edits back. */
    undo: () => {
      setEdits({});
      setProblem(null);
      storedEdits.remove();
    },
    give: (decision: ToolDecision, more?: Word["more"]) => {
      const edited = applyEdits(waiting.input, edits);
      if (decision !== "discard" && !edited.ok) return setProblem(edited);
      return decide.mutate({ decision, more });
    },
    /** What was decided and is on its way, and with what besides. */
    pending: decide.isPending || decide.isSuccess ? (decide.variables?.decision ?? null) : null,
    pendingMore: decide.isPending || decide.isSuccess ? decide.variables?.more : undefined,
    /** What cannot be sent as it stands. */
    problem,
    failure: decide.error?.message ?? null,
  };
}
