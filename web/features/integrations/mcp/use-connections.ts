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
import { toastFailure } from "#web/ui/toast/toast.tsx";
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
  return useMutation({
    ...forgetWhenSaved(connectionDrafts, form),
    mutationFn: (body: BodyOf<typeof createMcpConnection>) =>
      id === null ? call(createMcpConnection, { body }) : call(updateMcpConnection, { params: { id }, body }),
    onError: (error) => toastFailure(`Failed to ${id === null ? "create" : "update"} connection`, error),
    onSettled: readAnew,
  });
}

/** Switches a connection on or off. */
export function useSwitchConnection() {
  return useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) => call(updateMcpConnection, { params: { id }, body: { enabled } }),
    onError: (error) => toastFailure("Failed to update connection", error),
    onSettled: readAnew,
  });
}

/** Removes a connection. */
export function useDeleteConnection() {
  return useMutation({
    mutationFn: (id: string) => call(deleteMcpConnection, { params: { id } }),
    onError: (error) => toastFailure("Failed to delete connection", error),
    onSettled: readAnew,
  });
}

/** Tries a server. */
export function useTestConnection() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof testMcpConnection>) => call(testMcpConnection, { body }),
    onError: (error) => toastFailure("Failed to test connection", error),
    onSettled: readAnew,
  });
}

/** Agrees to a server's tools as they are shown. */
export function useAcceptTools() {
  return useMutation({
    mutationFn: ({ id, seen }: { id: string; seen: string }) => call(acceptMcpTools, { params: { id }, body: { seen } }),
    onError: (error) => toastFailure("Failed to update connection", error),
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
      else toastFailure("Failed to connect to MCP server", error);
    },
  });
}

function readAnew(): void {
  for (const queryKey of [keys.mcpConnections, keys.toolCategories]) void queryClient.invalidateQueries({ queryKey });
}
