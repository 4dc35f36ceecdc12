import { useSession } from "#web/features/people/session/use-session.ts";

/** Whether artifacts are there: not in this deployment or switched off in the settings, only for who has signed in, or yes. */
export type ArtifactsState = "off" | "unwanted" | "sign-in" | "loading" | "on";

/** Whether the person here has artifacts. */
export function useArtifactsOn(): ArtifactsState {
  const { user, features, status } = useSession();
  if (features === null) return "loading";
  if (!features.artifacts) return "off";
  if (status !== "user") return status === "loading" ? "loading" : "sign-in";
  return user?.artifacts_enabled ? "on" : "unwanted";
}

/** Whether the ways to artifacts stand in the sidebar: also for who would have to sign in first, and in their place until that is known. */
export function useArtifactPlace(): boolean {
  const state = useArtifactsOn();
  return state === "on" || state === "sign-in" || state === "loading";
}

/** Whether there is a way to artifacts: also for who would have to sign in first. */
export function useArtifactWays(): boolean {
  const state = useArtifactsOn();
  return state === "on" || state === "sign-in";
}
