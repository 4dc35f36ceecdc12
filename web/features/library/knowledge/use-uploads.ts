import { useReducer, useRef } from "react";
import { formatOfName } from "#shared/attachment-rules.ts";
import { putKnowledgeFile } from "#shared/contracts/library/knowledge.ts";
import { ERRORS } from "#shared/errors.ts";
import { ATTACHMENT_BYTES, ATTACHMENT_NAME_LENGTH } from "#shared/limits.ts";
import { ApiError, serverMessage } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { upload } from "#web/lib/upload.ts";
import { showFile } from "./use-change-knowledge.ts";

/** A file on its way: a part of 0 to 1 has gone out, or why it failed. */
export type Upload = { id: string; name: string; size: number } & (
  | { kind: "sending"; progress: number }
  | { kind: "failed"; message: string }
);

type Action = { type: "put"; upload: Upload } | { type: "drop"; id: string };

function reduce(uploads: readonly Upload[], action: Action): readonly Upload[] {
  if (action.type === "drop") return uploads.filter(({ id }) => id !== action.id);
  const { upload: next } = action;
  return uploads.some(({ id }) => id === next.id) ? uploads.map((one) => (one.id === next.id ? next : one)) : [...uploads, next];
}

/** Why a file is not even tried, in the specification's words; the server asks the same. */
export function refusalOf({ name, size }: Pick<File, "name" | "size">): string | null {
  if (formatOfName(name) === null) return ERRORS.FILE_TYPE.message;
  if (size > ATTACHMENT_BYTES) return ERRORS.FILE_TOO_LARGE.message;
  return name.length > ATTACHMENT_NAME_LENGTH ? "File validation failed" : null;
}

/** What a failed upload says: the server's words, which know more, before ours. */
export function failureOf(error: unknown): string {
  if (!(error instanceof ApiError)) return "Upload failed";
  if (error.status === 401) return "Authentication required";
  const serverText = error.code === "INTERNAL" ? null : serverMessage(error);
  return serverText ?? (error.status === 503 ? "File upload not available" : "File upload failed");
}

/** Files on their way to an entry, and how more are sent; each is checked here first. */
export function useUploads(entryId: string) {
  const [uploads, dispatch] = useReducer(reduce, []);
  const aborts = useRef(new Map<string, AbortController>());
  const send = async (file: File) => {
    const base = { id: crypto.randomUUID(), name: file.name, size: file.size };
    const refusal = refusalOf(file);
    if (refusal !== null) return dispatch({ type: "put", upload: { ...base, kind: "failed", message: refusal } });
    const abort = new AbortController();
    aborts.current.set(base.id, abort);
    const sending = (progress: number) => dispatch({ type: "put", upload: { ...base, kind: "sending", progress } });
    sending(0);
    try {
      const input = { params: { id: entryId, fileId: base.id }, query: { name: file.name } };
      const answer = await upload(putKnowledgeFile, input, { body: file, signal: abort.signal, onProgress: sending });
      showFile(answer.file);
      void queryClient.invalidateQueries({ queryKey: keys.knowledge });
      dispatch({ type: "drop", id: base.id });
    } catch (error) {
      if (!abort.signal.aborted) dispatch({ type: "put", upload: { ...base, kind: "failed", message: failureOf(error) } });
    }
  };
  return {
    uploads,
    add: (files: readonly File[]) => files.forEach((file) => void send(file)),
    drop: (id: string) => {
      aborts.current.get(id)?.abort();
      dispatch({ type: "drop", id });
    },
  };
}
