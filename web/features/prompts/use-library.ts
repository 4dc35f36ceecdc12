import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { exportLibrary, importLibrary } from "#shared/contracts/library/library.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { BYTES_PER_CHARACTER, LIBRARY_LENGTH } from "#shared/limits.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast/toast.tsx";

export type ImportAnswer = ResponseOf<typeof importLibrary>;

/** What became of a file that was picked: how much came in, or why nothing did. */
export type ImportOutcome = { kind: "imported"; answer: ImportAnswer } | { kind: "refused"; reason: string };

const IMPORT_BYTES = BYTES_PER_CHARACTER * LIBRARY_LENGTH;
const TOO_LARGE = `This file is too large: at most ${IMPORT_BYTES / 1_000_000} MB can be imported.`;
const NO_JSON = "This is not a file of prompts and personas: it is no JSON.";

/** Exports the own prompts and personas as a file, or several where they are long, and imports such files. */
export function useLibrary() {
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const exporting = useMutation({
    mutationFn: async () => {
      const files: Blob[] = [];
      for (let after: number | null = 0; after !== null;) {
        const { library, next }: ResponseOf<typeof exportLibrary> = await call(exportLibrary, { query: { after } });
        files.push(new Blob([JSON.stringify(library, null, 2)], { type: "application/json" }));
        after = next;
      }
      for (const [index, file] of files.entries()) save(file, files.length === 1 ? "" : `-${index + 1}-of-${files.length}`);
    },
    onError: (error) => toast({ tone: "danger", title: "The prompts were not exported", description: error.message }),
  });
  const importing = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > IMPORT_BYTES) throw new Error(TOO_LARGE);
      // The file goes out as it is: its schema is where it arrives.
      return upload(
        importLibrary,
        {},
        { body: file, type: "application/json", signal: new AbortController().signal, onProgress: () => {} },
      );
    },
    onSuccess: (answer) => setOutcome({ kind: "imported", answer }),
    onError: (error) => {
      const isJson = !(error instanceof ApiError && error.code === "INVALID_JSON");
      setOutcome({ kind: "refused", reason: isJson ? error.message : NO_JSON });
    },
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: keys.prompts }), queryClient.invalidateQueries({ queryKey: keys.personas })]),
  });
  return {
    isBusy: exporting.isPending || importing.isPending,
    outcome,
    onSeen: () => setOutcome(null),
    exportFile: () => exporting.mutate(),
    importFile: (file: File) => importing.mutate(file),
  };
}

function save(file: Blob, mark: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `prompts-and-personas-${new Date().toISOString().slice(0, 10)}${mark}.json`;
  link.click();
  // The download has its own hold on it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
