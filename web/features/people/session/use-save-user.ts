import { useMutation } from "@tanstack/react-query";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { call } from "#web/lib/api.ts";
import { setSessionUser } from "./use-session.ts";

/** Changes fields of the person, one change after another, so the answer of an earlier one never covers a later. */
export function useSaveUser() {
  return useMutation({
    scope: { id: "user" },
    mutationFn: (patch: BodyOf<typeof updateUser>) => call(updateUser, { body: patch }),
    onSuccess: ({ user }) => setSessionUser(user),
  });
}
