import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import { changeSessionUser, refreshSession, type SessionAnswer, useSession } from "#web/features/people/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { type Ticks, allowlistOf, isSameTicks, ticksOf } from "./ticks.ts";

/** The list that holds when no change on its way is saved. */
let stored: AllowedModel[] | null = null;

/** The ticks of the allowlist: each change is saved at once and the selector follows it; `undo` takes the last one of this visit back. */
export function useTicks(models: readonly AllowedModel[]) {
  const { user } = useSession();
  const [wanted, setWanted] = useState<Ticks | null>(null);
  const [earlier, setEarlier] = useState<readonly Ticks[]>([]);
  const save = useMutation({
    mutationKey: keys.allowlist,
    scope: { id: "allowlist" },
    mutationFn: (allowlist: AllowedModel[] | null) => call(putAllowlist, { body: { model_allowlist: allowlist } }),
    onMutate: (allowlist) => {
      // From the cache: what was drawn last may be older than the answer to the change before.
      if (isLast()) stored = queryClient.getQueryData<SessionAnswer>(keys.session)?.user?.model_allowlist ?? null;
      changeSessionUser({ model_allowlist: allowlist });
    },
    onSuccess: (saved) => {
      stored = saved.model_allowlist;
      if (isLast()) changeSessionUser(saved);
    },
    onError: (error) => {
      toast({ title: "The models were not saved", description: error instanceof ApiError ? error.message : "", tone: "danger" });
      setEarlier([]);
      if (!isLast()) return;
      changeSessionUser({ model_allowlist: stored });
      void refreshSession();
    },
    onSettled: () => {
      if (isLast()) setWanted(null);
    },
  });
  const ticks = wanted ?? ticksOf(user?.model_allowlist ?? null, models);
  const store = (next: Ticks) => {
    setWanted(next);
    save.mutate(allowlistOf(next, models));
  };
  const last = earlier.at(-1);
  return {
    ticks,
    change: (next: Ticks) => {
      if (isSameTicks(next, ticks)) return;
      setEarlier([...earlier, ticks]);
      store(next);
    },
    undo: last
      ? () => {
          setEarlier(earlier.slice(0, -1));
          store(last);
        }
      : null,
  };
}

/** True while no later change waits to be saved: what the server says of an earlier one is out of date. */
function isLast(): boolean {
  return queryClient.isMutating({ mutationKey: keys.allowlist }) === 1;
}
