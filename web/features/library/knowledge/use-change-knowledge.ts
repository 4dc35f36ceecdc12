import { useMutation } from "@tanstack/react-query";
import {
  addKnowledgeArtifact,
  createKnowledge,
  deleteKnowledge,
  deleteKnowledgeFile,
  readKnowledgeFile,
  readKnowledgeScan,
  removeKnowledgeArtifact,
  updateKnowledge,
} from "#shared/contracts/library/knowledge.ts";
import type { Knowledge, KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { type KnowledgeDraft, knowledgeDrafts } from "./knowledge-draft.ts";

const inTurn = {
  scope: { id: "knowledge" },
  onSettled: () => void queryClient.invalidateQueries({ queryKey: keys.knowledge }),
};

function notify(title: string): (error: Error) => void {
  return (error) => void toast({ title, description: error instanceof ApiError ? error.message : "", tone: "danger" });
}

function show(entry: Knowledge): void {
  queryClient.setQueryData(keys.knowledgeEntry(entry.id), entry);
}

/** Shows what is known of a file now. */
export function showFile(file: KnowledgeFile): void {
  queryClient.setQueryData<Knowledge>(keys.knowledgeEntry(file.context_id), (held) => {
    if (!held) return held;
    const others = held.user_context_files.filter(({ id }) => id !== file.id);
    return { ...held, user_context_files: [...others, file].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)) };
  });
}

/** Makes an entry, a team's where one is named; the id is the form's, so a second try makes no second one, and its draft is kept under `form`. */
export function useCreateKnowledge(form?: string) {
  const { onMutate, forget } = forgetWhenSaved(knowledgeDrafts, form);
  return useMutation({
    ...inTurn,
    onMutate,
    mutationFn: async ({ id, draft: { name, text, teamId } }: { id: string; draft: KnowledgeDraft }) =>
      (await call(createKnowledge, { body: { id, name: name.trim(), text_content: text.trim(), team_id: teamId } })).context,
    onSuccess: (entry, _, sent) => (show(entry), forget(sent)),
    onError: notify("Failed to create knowledge"),
  });
}

/** Changes what a draft says otherwise than its entry; `form` is where the draft is kept. */
export function useUpdateKnowledge(form?: string) {
  const { onMutate, forget } = forgetWhenSaved(knowledgeDrafts, form);
  return useMutation({
    ...inTurn,
    onMutate,
    mutationFn: async ({ entry, draft: { name, text, teamId } }: { entry: Knowledge; draft: KnowledgeDraft }) => {
      const body = {
        ...(name.trim() !== entry.name && { name: name.trim() }),
        ...(text.trim() !== entry.text_content && { text_content: text.trim() }),
        ...(teamId !== entry.team_id && { team_id: teamId }),
      };
      return (await call(updateKnowledge, { params: { id: entry.id }, body })).context;
    },
    onSuccess: (saved, _, sent) => (show(saved), forget(sent)),
  });
}

/** Deletes an entry. */
export function useDeleteKnowledge() {
  return useMutation({
    ...inTurn,
    mutationFn: (id: string) => call(deleteKnowledge, { params: { id } }),
    onError: notify("The knowledge was not deleted"),
  });
}

/** Removes a file from an entry. */
export function useRemoveFile() {
  return useMutation({
    ...inTurn,
    mutationFn: ({ context_id: id, id: fileId }: KnowledgeFile) => call(deleteKnowledgeFile, { params: { id, fileId } }),
    onError: notify("Remove failed"),
  });
}

/** Has a file read again. */
export function useReadAgain() {
  return useMutation({
    ...inTurn,
    mutationFn: async ({ context_id: id, id: fileId }: KnowledgeFile) => (await call(readKnowledgeFile, { params: { id, fileId } })).file,
    onSuccess: showFile,
    onError: notify("The file was not read again"),
  });
}

/** Has a scan read as pictures. */
export function useReadScan() {
  return useMutation({
    ...inTurn,
    mutationFn: async ({ context_id: id, id: fileId }: KnowledgeFile) => (await call(readKnowledgeScan, { params: { id, fileId } })).file,
    onSuccess: showFile,
    onError: notify("The pages were not read"),
  });
}

type Part = { id: string; artifactId: string };

/** Adds an artifact to an entry. */
export function useAddArtifact() {
  return useMutation({
    ...inTurn,
    mutationFn: async (params: Part) => (await call(addKnowledgeArtifact, { params })).artifact,
    onSuccess: (artifact, { id }) =>
      showArtifacts(id, (held) => [...held.filter(({ artifact_id: other }) => other !== artifact.artifact_id), artifact]),
    onError: notify("Failed to add artifact"),
  });
}

/** Takes an artifact out of an entry. */
export function useRemoveArtifact() {
  return useMutation({
    ...inTurn,
    mutationFn: (params: Part) => call(removeKnowledgeArtifact, { params }),
    onSuccess: (_ok, { id, artifactId }) => showArtifacts(id, (held) => held.filter(({ artifact_id: other }) => other !== artifactId)),
    onError: notify("Failed to remove artifact"),
  });
}

function showArtifacts(id: string, change: (held: Knowledge["artifacts"]) => Knowledge["artifacts"]): void {
  queryClient.setQueryData<Knowledge>(keys.knowledgeEntry(id), (held) => held && { ...held, artifacts: change(held.artifacts) });
}
