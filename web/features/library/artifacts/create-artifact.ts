import { createArtifact, shareArtifact } from "#shared/contracts/artifacts.ts";
import { teamToBeginIn } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { artifactPath } from "./artifact-paths.ts";
import { refreshArtifacts } from "./use-artifacts.ts";

/** Creates an artifact, shares it with the team whose workspace is shown, and answers its id; a share that fails only warns. */
export async function makeArtifact({ title = "", content = "" }: { title?: string; content?: string } = {}): Promise<string> {
  const { id, artifact } = await call(createArtifact, { body: { title, content } });
  queryClient.setQueryData(keys.artifact(id), { artifact: { ...artifact, content } });
  await shareWithShownTeam(id);
  refreshArtifacts();
  return id;
}

/** Shares an artifact with the team whose workspace is shown, if one is. */
export async function shareWithShownTeam(id: string): Promise<void> {
  const teamId = teamToBeginIn();
  if (teamId === null) return;
  try {
    await call(shareArtifact, { params: { id }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  } catch (error) {
    toast({
      tone: "warning",
      title: "The artifact was not shared with the team",
      description: error instanceof Error ? error.message : "",
    });
  }
}

let isCreating = false;

/** Creates an empty artifact and shows it; pressed twice it makes one. */
export async function newArtifact(navigate: (path: string) => unknown): Promise<void> {
  if (isCreating) return;
  isCreating = true;
  try {
    void navigate(artifactPath(await makeArtifact()));
  } catch (error) {
    toastFailure("The artifact was not created", error);
  } finally {
    isCreating = false;
  }
}

/** Keeps a text as an artifact and says so, with the way to it. */
export async function saveAsArtifact(
  { title, content }: { title: string; content: string },
  navigate: (path: string) => unknown,
): Promise<void> {
  try {
    const id = await makeArtifact({ title, content });
    toast({ tone: "success", title: "Saved as artifact", action: { label: "Open", onClick: () => void navigate(artifactPath(id)) } });
  } catch (error) {
    toastFailure("The artifact was not created", error);
  }
}
