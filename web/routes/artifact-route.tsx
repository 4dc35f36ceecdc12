import { useParams } from "react-router";
import { ArtifactsGate } from "#web/features/artifacts/artifacts-gate.tsx";
import ArtifactPage from "#web/features/artifact-editor/artifact-page.tsx";

/** One artifact, each in a page of its own. */
export default function ArtifactRoute() {
  const { artifactId = "" } = useParams();
  return (
    <ArtifactsGate>
      <ArtifactPage key={artifactId} id={artifactId} />
    </ArtifactsGate>
  );
}
