import { putArtifactFile } from "#shared/contracts/artifacts.ts";
import { ARTIFACT_FILE_BYTES } from "#shared/limits.ts";
import { upload } from "#web/lib/upload.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import type { OpenEditor } from "./open-editor.ts";

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** Whether any of these files is a picture that an artifact can hold. */
export function hasPictures(files: readonly File[]): boolean {
  return files.some(({ type }) => PICTURE.test(type));
}

/** Uploads pictures as files of an artifact, each with a mark in the text that gives way to it when it has arrived. */
export async function addPictures(id: string, files: readonly File[], editor: OpenEditor): Promise<void> {
  for (const file of files.filter(({ type }) => PICTURE.test(type))) {
    const name = (file.name || "Picture").replaceAll(/[[\]\n]/g, " ");
    const fileId = crypto.randomUUID();
    const mark = `![Uploading ${name}](${fileId})`;
    if (file.size > ARTIFACT_FILE_BYTES) {
      toast({ tone: "danger", title: `${name} was not added`, description: "A picture may have up to 5 MB." });
      continue;
    }
    editor.insertBlock(mark);
    try {
      await upload(
        putArtifactFile,
        { params: { id, fileId }, query: { name } },
        { body: file, signal: new AbortController().signal, onProgress: () => {} },
      );
      editor.replaceOnce(mark, `![${name}](/api/artifacts/${id}/files/${fileId})`);
    } catch (error) {
      editor.replaceOnce(mark, "");
      toastFailure(`${name} was not added`, error);
    }
  }
}
