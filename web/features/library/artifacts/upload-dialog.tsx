import { Check, CircleAlert, FileText } from "lucide-react";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { MARKDOWN_ENDINGS, uploadProblem } from "#shared/artifacts.ts";
import { uploadMarkdown } from "#shared/contracts/artifacts.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { ApiError, call } from "#web/lib/api.ts";
import { artifactPath } from "./artifact-paths.ts";
import { refreshArtifacts } from "./use-artifacts.ts";
import { shareWithShownTeam } from "./create-artifact.ts";

type UploadDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Makes artifacts of markdown files, several at a time; each says for itself what became of it. */
export default function UploadDialog({ open, onOpenChange }: UploadDialogProps) {
  const { user, status } = useSession();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isBusy = files.some(({ state }) => state.kind === "waiting" || state.kind === "uploading");
  const settled = files.filter(({ state }) => state.kind === "done" || state.kind === "failed").length;

  const add = async (picked: readonly File[]) => {
    if (picked.length === 0 || isBusy) return;
    const made = picked.map((file): UploadedFile => ({
      id: crypto.randomUUID(),
      name: file.name,
      size: file.size,
      state: { kind: "waiting" },
    }));
    setFiles(made);
    const mark = (id: string, state: UploadState) => setFiles((held) => held.map((file) => (file.id === id ? { ...file, state } : file)));
    const ended: UploadedFile[] = [];
    for (const [index, file] of picked.entries()) {
      const row = made[index];
      if (!row) continue;
      mark(row.id, { kind: "uploading" });
      const state = await uploadFile(file, { userId: user?.id ?? null, isAuthenticated: status === "user" });
      ended.push({ ...row, state });
      mark(row.id, state);
    }
    refreshArtifacts();
    const done = ended.flatMap(({ state }) => (state.kind === "done" ? [state.id] : []));
    toast({ tone: done.length === 0 ? "danger" : done.length < ended.length ? "warning" : "success", title: outcomeText(ended) });
    const [only] = done;
    if (only !== undefined && ended.length === 1) {
      onOpenChange(false);
      setFiles([]);
      void navigate(artifactPath(only));
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next && !isBusy) setFiles([]);
      }}
      title="Upload artifacts"
      width={520}
      footer={
        <Button className="ml-auto" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      <div
        role="presentation"
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          setIsOver(false);
          void add([...event.dataTransfer.files]);
        }}
        className={cx(
          "flex flex-col items-center gap-12 rounded-12 border border-dashed px-24 py-32 text-center",
          isOver ? "border-accent bg-accent-soft" : "border-line-strong",
        )}
      >
        <p className="text-14 text-ink">Drop markdown files here</p>
        <p className="text-13 text-ink2">{`${MARKDOWN_ENDINGS.join(", ")}, up to 1 MB each`}</p>
        <Button variant="outline" busy={isBusy} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          // A file of another kind can still be picked, and an error says why it is none.
          accept={MARKDOWN_ENDINGS.join(",")}
          onChange={(event) => {
            void add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </div>
      {files.length > 0 && (
        <>
          <p role="status" className="mt-16 text-13 text-ink2 tabular-nums">
            {isBusy ? `Uploading ${Math.min(settled + 1, files.length)} of ${files.length}` : outcomeText(files)}
          </p>
          <ProgressBar aria-label="Upload" value={settled} max={files.length} className={cx("mt-6 w-full", !isBusy && "hidden")} />
          <ul aria-label="Files" className="mt-8">
            {files.map((file) => (
              <FileRow key={file.id} file={file} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function FileRow({ file: { name, state } }: { file: UploadedFile }) {
  const Icon = state.kind === "done" ? Check : state.kind === "failed" ? CircleAlert : FileText;
  return (
    <li className="flex min-h-36 items-start gap-10 py-8 text-13/20">
      <Icon aria-hidden className={cx("mt-2 size-16 shrink-0", state.kind === "failed" ? "text-danger" : "text-ink2")} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-ink" title={name}>
          {name}
        </span>
        {state.kind === "failed" && <span className="block text-danger">{state.message}</span>}
      </span>
      {state.kind !== "failed" && (
        <span className="text-ink3">{state.kind === "done" ? "Uploaded" : state.kind === "uploading" ? "Uploading" : "Waiting"}</span>
      )}
    </li>
  );
}

const SIGN_IN = "Sign in required";

/** What has become of a file that was picked. */
export type UploadState =
  | { kind: "waiting" | "uploading" }
  | { kind: "failed"; message: string }
  | { kind: "done"; id: string; title: string };
type UploadedFile = { id: string; name: string; size: number; state: UploadState };

/** What is said at the end: '3 files uploaded successfully, 1 failed'. */
export function outcomeText(files: readonly UploadedFile[]): string {
  const done = files.filter(({ state }) => state.kind === "done").length;
  const failed = files.filter(({ state }) => state.kind === "failed").length;
  if (done === 0) return "Upload failed";
  const summary = `${done} ${done === 1 ? "file" : "files"} uploaded successfully`;
  return failed === 0 ? summary : `${summary}, ${failed} failed`;
}

/** Makes an artifact of a file, checked here as the server will; never throws. */
async function uploadFile(
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
