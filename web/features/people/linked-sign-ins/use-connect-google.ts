import { useMutation } from "@tanstack/react-query";
import { checkFreshSignIn } from "#shared/contracts/account/auth.ts";
import { connectGoogle } from "#shared/contracts/outbound/google.ts";
import type { GoogleFeature } from "#shared/entities/outbound/google-connection.ts";
import { address, ApiError, call, serverMessage } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";

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
      const description = serverMessage(error) ?? "Failed to initiate Google connection";
      toast({ title: "Connection Error", description, tone: "danger" });
    },
  });
}
