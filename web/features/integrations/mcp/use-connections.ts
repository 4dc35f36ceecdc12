import { useMutation, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import {
  acceptMcpTools,
  createMcpConnection,
  deleteMcpConnection,
  listMcpConnections,
  signInToMcp,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { connectionDrafts } from "./connection-draft.ts";

/** This person's connections to MCP servers. */
export function useConnections() {
  return useQuery({
    queryKey: keys.mcpConnections,
    queryFn: ({ signal }) => call(listMcpConnections, {}, { signal }),
    staleTime: lifetimes.short,
  });
}

/** Lets what servers and other tabs change be seen here; returns how to stop. */
export function followConnections(): () => void {
  return onLive((event) => {
    if (event.type === "content.changed" && event.kind === "tools") readAnew();
  });
}

/** Adds a connection, or changes the one of this id; `form` is where its draft is kept. */
export function useSaveConnection(id: string | null, form?: string) {
  const { onMutate, forget } = forgetWhenSaved(connectionDrafts, form);
  return useMutation({
    onMutate,
    onSuccess: (_answer, _body, sent) => forget(sent),
    mutationFn: (body: BodyOf<typeof createMcpConnection>) =>
      id === null ? call(createMcpConnection, { body }) : call(updateMcpConnection, { params: { id }, body }),
    onError: failed(`Failed to ${id === null ? "create" : "update"} connection`),
    onSettled: readAnew,
  });
}

/** Switches a connection on or off. */
export function useSwitchConnection() {
  return useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) => call(updateMcpConnection, { params: { id }, body: { enabled } }),
    onError: failed("Failed to update connection"),
    onSettled: readAnew,
  });
}

/** Removes a connection. */
export function useDeleteConnection() {
  return useMutation({
    mutationFn: (id: string) => call(deleteMcpConnection, { params: { id } }),
    onError: failed("Failed to delete connection"),
    onSettled: readAnew,
  });
}

/** Tries a server. */
export function useTestConnection() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof testMcpConnection>) => call(testMcpConnection, { body }),
    onError: failed("Failed to test connection"),
    onSettled: readAnew,
  });
}

/** Agrees to a server's tools as they are shown. */
export function useAcceptTools() {
  return useMutation({
    mutationFn: ({ id, seen }: { id: string; seen: string }) => call(acceptMcpTools, { params: { id }, body: { seen } }),
    onError: failed("Failed to update connection"),
    onSettled: readAnew,
  });
}

/** Leaves for a server's sign-in, which comes back to the settings; a server that wants a client of one's own says so instead. */
export function useSignInToServer(onClientNeeded: (reason: string) => void) {
  return useMutation({
    mutationFn: (id: string) => call(signInToMcp, { params: { id } }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "MCP_CLIENT_REQUIRED") onClientNeeded(error.message);
      else failed("Failed to connect to MCP server")(error);
    },
  });
}

function readAnew(): void {
  for (const queryKey of [keys.mcpConnections, keys.toolCategories]) void queryClient.invalidateQueries({ queryKey });
}

function failed(title: string) {
  return (error: Error) => toast({ title, description: error instanceof ApiError ? error.message : "", tone: "danger" });
}
