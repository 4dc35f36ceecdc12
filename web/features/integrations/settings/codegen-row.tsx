import { Bot, Check } from "lucide-react";
import { useId, useState } from "react";
import { AgainOrSignIn } from "#web/features/people/session/again-or-sign-in.tsx";
import { LoadFailure } from "#web/features/people/session/load-failure.tsx";
import { keys, queryClient } from "#web/lib/query.ts";
import { Badge } from "#web/ui/badge.tsx";
import { useChangePreferences, usePreferences } from "#web/features/conversation/tools/use-preferences.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";
import { connectCodegen, disconnectCodegen, getCodegenStatus } from "#shared/contracts/outbound/codegen.ts";
import { call, serverMessage } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { toast } from "#web/ui/toast/toast.tsx";

const WHAT = "Code agent runs on your repositories";

/** The code agent: connected with an organization and a token of it, or to be. */
export function CodegenRow() {
  const { data, isError, error: failure, refetch } = useCodegenStatus();
  const disconnect = useDisconnectCodegen();
  if (isError && !data) {
    return (
      <IntegrationRow icon={Bot} name="Codegen" description={<LoadFailure text="Failed to check connection status" error={failure} />}>
        <AgainOrSignIn error={failure} onAgain={() => void refetch()} />
      </IntegrationRow>
    );
  }
  if (!data) {
    return (
      <IntegrationRow icon={Bot} name="Codegen" description={WHAT}>
        <Skeleton className="h-36 w-96" />
      </IntegrationRow>
    );
  }
  if (!data.connected) {
    return (
      <IntegrationRow icon={Bot} name="Codegen" description={WHAT}>
        <ConnectForm />
        <ShownBefore />
      </IntegrationRow>
    );
  }
  const { orgId, error } = data;
  const state =
    error === null ? (
      <Badge tone="accent">
        <Check aria-hidden className="size-12" />
        Connected
      </Badge>
    ) : (
      <Badge tone="signal">Needs a new token</Badge>
    );
  return (
    <IntegrationRow
      icon={Bot}
      name="Codegen"
      state={state}
      description={
        <>
          {`Organization ${orgId}`}
          {error !== null && (
            <span role="alert" className="block text-danger">
              {error}
            </span>
          )}
        </>
      }
    >
      {error !== null && <ConnectForm orgId={orgId ?? ""} />}
      <Button busy={disconnect.isPending} onClick={() => disconnect.mutate()}>
        Disconnect
      </Button>
    </IntegrationRow>
  );
}

/** Lists the code agent among a chat's tools before it is connected: it says there what it needs. */
function ShownBefore() {
  const preferences = usePreferences();
  const change = useChangePreferences();
  const { enableCodegen } = preferences;
  return (
    <div className="basis-full">
      <Checkbox
        label="List it among the tools before it is connected"
        checked={enableCodegen}
        onChange={() => change.mutate({ ...preferences, enableCodegen: !enableCodegen }, { onSuccess: askForTools })}
      />
    </div>
  );
}

function askForTools(): void {
  void queryClient.invalidateQueries({ queryKey: keys.toolCategories });
}

const MISSING = "Please enter both Organization ID and Token";

function ConnectForm({ orgId: known = "" }: { orgId?: string }) {
  const id = useId();
  const [orgId, setOrgId] = useState(known);
  const [token, setToken] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const connect = useConnectCodegen();
  const type = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    setIsMissing(false);
  };
  return (
    <form
      noValidate
      className="flex w-full flex-wrap items-start gap-8 min-[768px]:w-340"
      aria-describedby={isMissing ? id : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (connect.isPending) return;
        if (orgId.trim() === "" || token.trim() === "") return setIsMissing(true);
        connect.mutate({ orgId, token });
      }}
    >
      <TextField
        label="Organization ID"
        hideLabel
        placeholder="Organization ID"
        inputMode="numeric"
        autoComplete="off"
        className="min-w-96 flex-1 max-[767px]:basis-full"
        value={orgId}
        onChange={type(setOrgId)}
      />
      <TextField
        label="Token"
        hideLabel
        placeholder="Token"
        type="password"
        autoComplete="off"
        className="min-w-96 flex-1"
        value={token}
        onChange={type(setToken)}
      />
      <Button type="submit" busy={connect.isPending}>
        Connect
      </Button>
      {isMissing && (
        <p id={id} role="alert" className="w-full text-13 text-danger">
          {MISSING}
        </p>
      )}
    </form>
  );
}

/** How one's code agent is connected. */
function useCodegenStatus() {
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
function useConnectCodegen() {
  return useMutation({
    mutationFn: (body: { orgId: string; token: string }) => call(connectCodegen, { body }),
    onSuccess: async ({ message }) => {
      toast({ title: "Codegen Connected", description: message, tone: "success" });
      await readAgain();
    },
    onError: (error) =>
      void toast({ title: "Connection Failed", description: serverMessage(error) ?? "Failed to connect Codegen", tone: "danger" }),
  });
}

/** Forgets its organization and token. */
function useDisconnectCodegen() {
  return useMutation({
    mutationFn: () => call(disconnectCodegen, {}),
    onSuccess: async () => {
      toast({ title: "Codegen Disconnected", tone: "success" });
      await readAgain();
    },
    onError: (error) => void toast({ title: "Disconnection Failed", description: error.message, tone: "danger" }),
  });
}
