import { useMutation, useQuery } from "@tanstack/react-query";
import { endLinkedSignIn, listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { call } from "#web/lib/api.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** The outside sign-ins that open the person's account. */
export function useLinkedSignIns() {
  return useQuery({ queryKey: keys.linkedSignIns, queryFn: ({ signal }) => call(listLinkedSignIns, {}, { signal }), ...watched });
}

/** Ends one of them. */
export function useEndLinkedSignIn(onEnded: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(endLinkedSignIn, { params: { id } }),
    onSuccess: onEnded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.linkedSignIns }),
  });
}
