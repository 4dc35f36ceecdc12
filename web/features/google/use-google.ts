import { useMutation, useQuery } from "@tanstack/react-query";
import { checkFreshSignIn } from "#shared/contracts/account/auth.ts";
import { connectGoogle, disconnectGoogle, getGoogleStatus } from "#shared/contracts/outbound/google.ts";
import type { GoogleFeature } from "#shared/entities/outbound/google-connection.ts";
import { address, ApiError, call, serverWords } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** How one's Google account is connected. */
export function useGoogleStatus() {
  return useQuery({
    queryKey: keys.google,
    queryFn: ({ signal }) => call(getGoogleStatus, {}, { signal }),
    staleTime: lifetimes.connectionStatus,
  });
}

/** Lets what other tabs and Google change be seen here; returns how to stop. */
export function followGoogle(): () => void {
  return onLive((event) => {
    if (event.type === "content.changed" && event.kind === "tools") void queryClient.invalidateQueries({ queryKey: keys.google });
  });
}

/** Leads to Google to grant these features, and back to this page; the page is left, so it stays pending. */
export function useConnectGoogle() {
  return useMutation({
    mutationFn: async (features: readonly GoogleFeature[]) => {
      // Where nothing answers, the browser would leave the page for an error of its own; a stale sign-in is proven again before that.
      await call(checkFreshSignIn, {}).catch((error: unknown) => {
        // Who is not signed in any more is led to the login page.
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
      });
      const { pathname, search } = window.location;
      window.location.assign(address(connectGoogle, { query: { features: features.join(","), returnUrl: pathname + search } }));
      await new Promise<never>(() => {});
    },
    onError: (error) => {
      const description = serverWords(error) ?? "Failed to initiate Google connection";
      toast({ title: "Connection Error", description, tone: "danger" });
    },
  });
}

/** Gives the grant back and forgets what came by it. */
export function useDisconnectGoogle() {
  return useMutation({
    mutationFn: () => call(disconnectGoogle, {}),
    onSuccess: async () => {
      toast({ title: "Google disconnected", tone: "success" });
      queryClient.removeQueries({ queryKey: keys.driveIndex });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.google }),
        queryClient.invalidateQueries({ queryKey: keys.toolCategories }),
      ]);
    },
    onError: (error) => {
      const description = serverWords(error) ?? "Failed to disconnect Google";
      toast({ title: "Disconnection Error", description, tone: "danger" });
    },
  });
}
