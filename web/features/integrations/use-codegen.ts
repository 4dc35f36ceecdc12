import { useMutation, useQuery } from "@tanstack/react-query";
import { connectCodegen, disconnectCodegen, getCodegenStatus } from "#shared/contracts/outbound/codegen.ts";
import { call, serverWords } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** How one's code agent is connected. */
export function useCodegenStatus() {
  return useQuery({
    queryKey: keys.codegen,
    queryFn: ({ signal }) => call(getCodegenStatus, {}, { signal }),
    staleTime: lifetimes.connectionStatus,
  });
}

/** Its tools come and go with it. */
function readAgain(): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.codegen }),
    queryClient.invalidateQueries({ queryKey: keys.toolCategories }),
  ]);
}

/** Connects the code agent. */
export function useConnectCodegen() {
  return useMutation({
    mutationFn: (body: { orgId: string; token: string }) => call(connectCodegen, { body }),
    onSuccess: async ({ message }) => {
      toast({ title: "Codegen Connected", description: message, tone: "success" });
      await readAgain();
    },
    onError: (error) =>
      void toast({ title: "Connection Failed", description: serverWords(error) ?? "Failed to connect Codegen", tone: "danger" }),
  });
}

/** Forgets its organization and token. */
export function useDisconnectCodegen() {
  return useMutation({
    mutationFn: () => call(disconnectCodegen, {}),
    onSuccess: async () => {
      toast({ title: "Codegen Disconnected", tone: "success" });
      await readAgain();
    },
    onError: (error) => void toast({ title: "Disconnection Failed", description: error.message, tone: "danger" }),
  });
}
