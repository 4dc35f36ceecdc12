import { type ReactNode, useCallback } from "react";
import { useParams } from "react-router";
import { openInChat } from "#web/features/conversation/attachments/open-in-chat.ts";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { ArtifactsGate } from "#web/features/library/artifacts/artifacts-gate.tsx";
import ArtifactPage from "#web/features/library/artifact-editor/artifact-page.tsx";
import { ModelNamesContext } from "#web/features/library/artifact-history/version-author.tsx";

/** One artifact, each in a page of its own. */
export default function ArtifactRoute() {
  const { artifactId = "" } = useParams();
  return (
    <ArtifactsGate>
      <WithModelNames>
        <ArtifactPage key={artifactId} id={artifactId} openInChat={openInChat} />
      </WithModelNames>
    </ArtifactsGate>
  );
}

function WithModelNames({ children }: { children: ReactNode }) {
  const { data } = useModels();
  const nameOf = useCallback((id: string) => modelName(data?.models, id), [data]);
  return <ModelNamesContext value={nameOf}>{children}</ModelNamesContext>;
}
