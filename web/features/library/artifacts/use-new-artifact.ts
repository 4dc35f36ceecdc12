import { useCallback } from "react";
import { useNavigate } from "react-router";
import { ARTIFACTS_PATH } from "./artifact-paths.ts";
import { useArtifactsOn } from "./artifacts-on.ts";

/** Creates an artifact and leads to it; who has not signed in is led to where that is said. */
export function useNewArtifact(): () => void {
  const state = useArtifactsOn();
  const navigate = useNavigate();
  return useCallback(() => {
    if (state !== "on") void navigate(ARTIFACTS_PATH);
    else void import("./create-artifact.ts").then(({ newArtifact }) => newArtifact(navigate));
  }, [state, navigate]);
}
