import { uploadProblem } from "#shared/artifacts.ts";
import { uploadMarkdown } from "#shared/contracts/artifacts.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { shareWithShownTeam } from "./create-artifact.ts";

const SIGN_IN = "Sign in required";

/** What has become of a file that was picked. */
export type UploadState =
  | { kind: "waiting" | "uploading" }
  | { kind: "failed"; message: string }
  | { kind: "done"; id: string; title: string };
export type UploadedFile = { id: string; name: string; size: number; state: UploadState };

/** What is said at the end: '3 files uploaded successfully, 1 failed'. */
export function outcomeText(files: readonly UploadedFile[]): string {
  const done = files.filter(({ state }) => state.kind === "done").length;
  const failed = files.filter(({ state }) => state.kind === "failed").length;
  if (done === 0) return "Upload failed";
  const summary = `${done} ${done === 1 ? "file" : "files"} uploaded successfully`;
  return failed === 0 ? summary : `${summary}, ${failed} failed`;
}

/** Makes an artifact of a file, checked here as the server will; never throws. */
export async function uploadFile(
  file: File,
  { userId, isAuthenticated }: { userId: string | null; isAuthenticated: boolean },
): Promise<UploadState> {
  const problem = uploadProblem(file);
  if (problem !== null) return { kind: "failed", message: problem };
  if (!isAuthenticated) return { kind: "failed", message: SIGN_IN };
  try {
    const content = await file.text();
    const { artifact } = await call(uploadMarkdown, { body: { filename: file.name, content, userId, isAuthenticated } });
    await shareWithShownTeam(artifact.id);
    return { kind: "done", ...artifact };
  } catch (error) {
    return { kind: "failed", message: uploadFailure(error) };
  }
}

/** What a file that was not taken says; a session may end meanwhile. */
export function uploadFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return "Upload failed";
  return error.status === 401 ? SIGN_IN : error.message;
}
