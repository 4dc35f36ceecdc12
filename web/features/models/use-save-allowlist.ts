import { useMutation } from "@tanstack/react-query";
import { putAllowlist } from "#shared/contracts/users.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import type { User } from "#shared/entities/user.ts";
import { setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";

/** Saves the allowlist: the selector follows at once and goes back when the server refuses. */
export function useSaveAllowlist(user: User | null) {
  return useMutation({
    mutationFn: (allowlist: AllowedModel[] | null) => call(putAllowlist, { body: { model_allowlist: allowlist } }),
    onMutate: (allowlist) => {
      if (user) setSessionUser({ ...user, model_allowlist: allowlist });
      return user;
    },
    onSuccess: ({ model_allowlist, preferred_model }, _allowlist, before) => {
      if (before) setSessionUser({ ...before, model_allowlist, preferred_model });
    },
    onError: (_error, _allowlist, before) => {
      if (before) setSessionUser(before);
    },
  });
}
