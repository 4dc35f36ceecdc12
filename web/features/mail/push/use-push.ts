import { useMutation, useQuery } from "@tanstack/react-query";
import {
  changePushKinds,
  deletePushDevice,
  getPush,
  type PushKinds,
  putPushDevice,
  testPushDevice,
} from "#shared/contracts/account/push.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { readBrowserPushState, subscribeHere, unsubscribeHere } from "./this-device.ts";

/** The person's devices, and what they are notified of. */
export function usePush({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ queryKey: keys.push, queryFn: ({ signal }) => call(getPush, {}, { signal }), staleTime: 0, enabled });
}

/** How this browser stands; looked at again with each change, and when the person comes back from its settings. */
export function useThisBrowser() {
  return useQuery({ queryKey: [...keys.push, "here"], queryFn: readBrowserPushState, staleTime: 0, refetchOnWindowFocus: "always" });
}

/** Changes about what a push comes. */
export function useSavePushKinds() {
  return useMutation({
    onError: ({ message }) => toast({ title: message }),
    mutationFn: (body: Partial<PushKinds>) => call(changePushKinds, { body }),
    onSuccess: ({ kinds }) =>
      queryClient.setQueryData<Awaited<ReturnType<typeof call<typeof getPush>>>>(keys.push, (known) => known && { ...known, kinds }),
    onSettled: refresh,
  });
}

/** Has this browser notified, once its person allowed it. */
export function useTurnOn() {
  return useMutation({
    mutationFn: async (publicKey: string) => {
      const body = await subscribeHere(publicKey);
      return body && call(putPushDevice, { body });
    },
    onSettled: refresh,
  });
}

/** Stops notifying a device; this browser forgets its subscription as well. */
export function useRemoveDevice() {
  return useMutation({
    mutationFn: async ({ id, isHere }: { id: string; isHere: boolean }) => {
      await call(deletePushDevice, { params: { id } });
      if (isHere) await unsubscribeHere();
    },
    onSettled: refresh,
  });
}

/** Sends a device a notification to try it out. */
export function useTestDevice() {
  return useMutation({ mutationFn: (id: string) => call(testPushDevice, { params: { id } }), onError: refresh });
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.push });
}
