export const ARTIFACTS_PATH = "/artifacts";

/** Where one artifact is shown. */
export function artifactPath(id: string): string {
  return `${ARTIFACTS_PATH}/${id}`;
}
