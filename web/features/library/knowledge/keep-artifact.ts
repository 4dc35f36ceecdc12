import { createKnowledge } from "#shared/contracts/library/knowledge.ts";
import type { Artifact } from "#shared/entities/artifact.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { openManage } from "#web/features/library/kit/manage-store.ts";

/** Makes knowledge of an artifact, which it follows from then on, and opens it. */
export async function keepArtifact({ id, title }: Pick<Artifact, "id" | "title">): Promise<void> {
  try {
    const { context } = await call(createKnowledge, { body: { name: title.slice(0, CONTENT_NAME_LENGTH), artifact_id: id } });
    queryClient.setQueryData(keys.knowledgeEntry(context.id), context);
    void queryClient.invalidateQueries({ queryKey: keys.knowledge });
    openManage("knowledge", { kind: "edit", id: context.id });
  } catch (error) {
    toastFailure("Failed to create knowledge", error);
  }
}
