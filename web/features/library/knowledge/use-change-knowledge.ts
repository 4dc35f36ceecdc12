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
import { changesInTurn } from "#web/features/library/kit/list-changes.ts";
import { call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { type KnowledgeDraft, knowledgeDrafts } from "./knowledge-draft.ts";
import type { KnowledgeAnswer } from "./use-knowledge.ts";

const inTurn = changesInTurn(keys.knowledge);

function show(entry: Knowledge): void {
  queryClient.setQueryData(keys.knowledgeEntry(entry.id), entry);
}

function showChanged(id: string, change: (held: Knowledge) => Partial<Knowledge>): void {
  queryClient.setQueryData<Knowledge>(keys.knowledgeEntry(id), (held) => held && { ...held, ...change(held) });
}

/** Shows what is known of a file now. */
export function showFile(file: KnowledgeFile): void {
  showChanged(file.context_id, ({ user_context_files: files }) => {
    const others = files.filter(({ id }) => id !== file.id);
    return { user_context_files: [...others, file].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)) };
  });
}

/** Makes an entry, a team's where one is named; the id is the form's, so a second try makes no second one, and its draft is kept under `form`. */
export function useCreateKnowledge(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(knowledgeDrafts, form, show),
    mutationFn: async ({ id, draft: { name, text, teamId } }: { id: string; draft: KnowledgeDraft }) =>
      (await call(createKnowledge, { body: { id, name: name.trim(), text_content: text.trim(), team_id: teamId } })).context,
    onError: (error) => toastFailure("Failed to create knowledge", error),
  });
}

/** Changes what a draft says otherwise than its entry; `form` is where the draft is kept. */
export function useUpdateKnowledge(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(knowledgeDrafts, form, show),
    mutationFn: async ({ entry, draft: { name, text, teamId } }: { entry: Knowledge; draft: KnowledgeDraft }) => {
      const body = {
        ...(name.trim() !== entry.name && { name: name.trim() }),
        ...(text.trim() !== entry.text_content && { text_content: text.trim() }),
        ...(teamId !== entry.team_id && { team_id: teamId }),
      };
      return (await call(updateKnowledge, { params: { id: entry.id }, body })).context;
    },
  });
}

/** Deletes an entry. */
export function useDeleteKnowledge() {
  return useMutation({
    ...inTurn,
    mutationFn: (id: string) => call(deleteKnowledge, { params: { id } }),
    onSuccess: (_, id) =>
      queryClient.setQueryData<KnowledgeAnswer>(
        keys.knowledgeList,
        (held) => held && { ...held, contexts: held.contexts.filter((entry) => entry.id !== id) },
      ),
    onError: (error) => toastFailure("The knowledge was not deleted", error),
  });
}

/** Removes a file from an entry. */
export function useRemoveFile() {
  return useMutation({
    ...inTurn,
    mutationFn: ({ context_id: id, id: fileId }: KnowledgeFile) => call(deleteKnowledgeFile, { params: { id, fileId } }),
    onSuccess: (_, { context_id: entryId, id }) =>
      showChanged(entryId, ({ user_context_files: files }) => ({ user_context_files: files.filter((file) => file.id !== id) })),
    onError: (error) => toastFailure("Remove failed", error),
  });
}

/** Has a file read again. */
export function useReadAgain() {
  return useMutation({
    ...inTurn,
    mutationFn: async ({ context_id: id, id: fileId }: KnowledgeFile) => (await call(readKnowledgeFile, { params: { id, fileId } })).file,
    onSuccess: showFile,
    onError: (error) => toastFailure("The file was not read again", error),
  });
}

/** Has a scan read as pictures. */
export function useReadScan() {
  return useMutation({
    ...inTurn,
    mutationFn: async ({ context_id: id, id: fileId }: KnowledgeFile) => (await call(readKnowledgeScan, { params: { id, fileId } })).file,
    onSuccess: showFile,
    onError: (error) => toastFailure("The pages were not read", error),
  });
}

type Part = { id: string; artifactId: string };

/** Adds an artifact to an entry. */
export function useAddArtifact() {
  return useMutation({
    ...inTurn,
    mutationFn: async (params: Part) => (await call(addKnowledgeArtifact, { params })).artifact,
    onSuccess: (artifact, { id }) =>
      showChanged(id, ({ artifacts }) => ({
        artifacts: [...artifacts.filter(({ artifact_id: other }) => other !== artifact.artifact_id), artifact],
      })),
    onError: (error) => toastFailure("Failed to add artifact", error),
  });
}

/** Takes an artifact out of an entry. */
export function useRemoveArtifact() {
  return useMutation({
    ...inTurn,
    mutationFn: (params: Part) => call(removeKnowledgeArtifact, { params }),
    onSuccess: (_, { id, artifactId }) =>
      showChanged(id, ({ artifacts }) => ({ artifacts: artifacts.filter(({ artifact_id: other }) => other !== artifactId) })),
    onError: (error) => toastFailure("Failed to remove artifact", error),
  });
}
