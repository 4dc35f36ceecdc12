import { Check } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { GoogleConnection, GoogleFeature } from "#shared/entities/outbound/google-connection.ts";
import { AgainOrSignIn } from "#web/features/people/session/again-or-sign-in.tsx";
import { LoadFailure } from "#web/features/people/session/load-failure.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useConnectGoogle } from "#web/features/people/linked-sign-ins/use-connect-google.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { disconnectGoogle, getGoogleStatus } from "#shared/contracts/outbound/google.ts";
import { call, serverMessage } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import DriveIndex from "#web/features/integrations/drive/drive-index.tsx";

/** One's Google account: connected for mail and Drive as far as these are switched on here, or to be. */
export function GoogleRow() {
  const { features } = useSession();
  const { data, isError, error: failure, refetch } = useGoogleStatus();
  useEffect(followGoogle, []);
  const offered = GOOGLE_FEATURES.filter((feature) => features?.[feature]);
  if (isError && !data) {
    return (
      <Row description={<LoadFailure text="Failed to check connection status" error={failure} />}>
        <AgainOrSignIn error={failure} onAgain={() => void refetch()} />
      </Row>
    );
  }
  if (!data) {
    return (
      <Row description={promiseOf(offered)}>
        <Skeleton className="h-36 w-96" />
      </Row>
    );
  }
  return <Known connection={data} offered={offered} />;
}

function Known({ connection, offered }: { connection: GoogleConnection; offered: readonly GoogleFeature[] }) {
  const { connected, email, error, missing } = connection;
  const connect = useConnectGoogle();
  const disconnect = useDisconnectGoogle();
  const toConnect = (label: string, features: readonly GoogleFeature[]) => (
    <Button busy={connect.isPending} onClick={() => connect.mutate(features)}>
      {label}
    </Button>
  );
  const toDisconnect = (
    <Button busy={disconnect.isPending} onClick={() => disconnect.mutate()}>
      Disconnect
    </Button>
  );
  if (!connected && error === null) {
    return <Row description={promiseOf(offered)}>{toConnect("Connect", offered)}</Row>;
  }
  if (!connected) {
    return (
      <Row
        state={<Badge tone="signal">Not connected</Badge>}
        description={
          <>
            {email}
            <span role="alert" className="block text-danger">
              {error}
            </span>
          </>
        }
      >
        {toConnect("Connect again", offered)}
        {toDisconnect}
      </Row>
    );
  }
  const granted = offered.filter((feature) => !missing.includes(feature));
  return (
    <Row
      state={
        <Badge tone="accent">
          <Check aria-hidden className="size-12" />
          Connected
        </Badge>
      }
      description={
        <>
          {[email, namesOf(granted)].filter(Boolean).join(", ")}
          {missing.length > 0 && <span className="block">{`Not granted, or not all of it: ${namesOf(missing)}.`}</span>}
        </>
      }
    >
      {missing.length > 0 && toConnect("Grant access", missing)}
      {toDisconnect}
      {granted.includes("drive") && <DriveIndex />}
    </Row>
  );
}

type RowProps = { state?: ReactNode; description: ReactNode; children: ReactNode };

function Row({ state, description, children }: RowProps) {
  return (
    <div role="group" aria-label="Google" className="flex items-start gap-12 border-b border-line py-12">
      <span aria-hidden className="mt-4 grid size-28 shrink-0 place-items-center rounded-8 bg-s3 text-13 font-medium text-ink2">
        G
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-12 gap-y-10">
        <div className="min-w-0 flex-1 basis-160">
          <p className="flex flex-wrap items-center gap-8 text-14 font-medium text-ink">
            Google
            {state}
          </p>
          <div className="mt-2 text-13 [overflow-wrap:anywhere] text-pretty text-ink2">{description}</div>
        </div>
        {children}
      </div>
    </div>
  );
}

/** All of Google that is connected here, in its order. */
const GOOGLE_FEATURES = ["gmail", "drive"] as const satisfies readonly GoogleFeature[];

const NAMES: Record<GoogleFeature, string> = { gmail: "mail", drive: "Drive" };

/** Features as people call them: 'mail and Drive'. */
function namesOf(features: readonly GoogleFeature[]): string {
  return features.map((feature) => NAMES[feature]).join(" and ");
}

/** What connecting is good for where these are switched on. */
function promiseOf(features: readonly GoogleFeature[]): string {
  const ofDrive = features.includes("drive") ? " Finds passages in your Drive." : "";
  return `Searches and reads your mail, keeps drafts, and sends what you approve.${ofDrive}`;
}

/** How one's Google account is connected. */
function useGoogleStatus() {
  return useQuery({
    queryKey: keys.google,
    queryFn: ({ signal }) => call(getGoogleStatus, {}, { signal }),
    staleTime: lifetimes.connectionStatus,
  });
}

/** Lets what other tabs and Google change be seen here; returns how to stop. */
function followGoogle(): () => void {
  return onLive((event) => {
    if (event.type === "content.changed" && event.kind === "tools") void queryClient.invalidateQueries({ queryKey: keys.google });
  });
}

/** Gives the grant back and forgets what came by it. */
function useDisconnectGoogle() {
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
      const description = serverMessage(error) ?? "Failed to disconnect Google";
      toast({ title: "Disconnection Error", description, tone: "danger" });
    },
  });
}
