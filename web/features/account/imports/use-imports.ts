import { useMutation, useQuery } from "@tanstack/react-query";
import { cancelImport, listImports, startImport } from "#shared/contracts/account/imports.ts";
import type { Import } from "#shared/imports/import.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { stopUpload, uploadExport } from "./upload-parts.ts";

/** How often it is looked how far an import is, in milliseconds. */
const LOOK_MS = 1_000;

/** The person's newest import, followed while it is worked on; null where there was none. */
export function useNewestImport() {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.imports,
    queryFn: ({ signal }) => call(listImports, {}, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isWorking(state.data?.imports[0]) ? LOOK_MS : false),
  });
  return { newest: data?.imports[0] ?? null, isLoaded: data !== undefined, isError, retry: () => void refetch() };
}

function isWorking(newest: Import | undefined): boolean {
  return newest?.state === "reading" || newest?.state === "importing";
}

async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.imports });
}

/** What is done with imports: a file is sent, or sent on; one is started, tried again or cancelled. */
export function useImporting() {
  const send = useMutation({
    mutationFn: ({ file, begun }: { file: File; begun: Import | null }) => uploadExport(file, begun),
    onSettled: readAgain,
  });
  const start = useMutation({ mutationFn: (id: string) => call(startImport, { params: { id } }), onSettled: readAgain });
  const cancel = useMutation({
    mutationFn: (id: string) => {
      stopUpload();
      return call(cancelImport, { params: { id } });
    },
    onSettled: readAgain,
  });
  return { send, start, cancel };
}
