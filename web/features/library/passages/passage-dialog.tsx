import { useQuery } from "@tanstack/react-query";
import { readPassage } from "#shared/contracts/library/passages.ts";
import { readDrivePassage } from "#shared/contracts/outbound/drive.ts";
import { DRIVE_CONTEXT, type KnowledgePlace } from "#shared/knowledge-citations.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { keys } from "#web/lib/query.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

function showInMiddle(passage: HTMLElement | null): void {
  passage?.scrollIntoView({ block: "center" });
}

const leadClass = "mt-12 inline-flex min-h-32 items-center text-13 text-accent underline touch:min-h-44";

/** What stands at a place in knowledge, or in a file of one's own Drive. */
async function readPlace({ entryId, documentId, start, end }: Omit<KnowledgePlace, "page">) {
  const query = { from: start, to: end };
  if (entryId !== DRIVE_CONTEXT) return call(readPassage, { params: { id: entryId, documentId }, query });
  const { link, ...passage } = await call(readDrivePassage, { params: { id: documentId }, query });
  // Google's own pages know no places in a file.
  return { ...passage, page: null, context: { id: entryId, name: "Google Drive" }, file_url: link, artifact_id: null };
}

export type PassageDialogProps = { place: KnowledgePlace; title: string; onClose: () => void };

/** What an answer cites of a document: the passage, marked, with what stands around it, and the way to the file at its page. */
export default function PassageDialog({ place, title, onClose }: PassageDialogProps) {
  const { entryId, documentId, start, end } = place;
  const { data, error } = useQuery({
    queryKey: keys.passage(place),
    queryFn: () => readPlace({ entryId, documentId, start, end }),
  });
  const message = error instanceof ApiError ? error.message : "This passage could not be loaded.";
  return (
    <Dialog open title={data?.document.name ?? title} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {data ? (
        <>
          <p className="mb-8 text-13 text-ink3">{[data.context.name, data.place].filter((part) => part !== "").join(" · ")}</p>
          <ScrollRegion
            label="The passage"
            className="max-h-[50vh] overflow-y-auto rounded-8 border border-line p-12 text-13 break-words whitespace-pre-wrap text-ink2"
          >
            <div dir="auto">
              {data.before}
              <mark ref={showInMiddle} className="rounded-4 bg-accent-soft text-ink">
                {data.text}
              </mark>
              {data.after}
            </div>
          </ScrollRegion>
          {data.file_url !== null && (
            <a
              href={data.page === null ? data.file_url : `${data.file_url}#page=${data.page}`}
              target="_blank"
              rel="noopener noreferrer"
              className={leadClass}
            >
              {data.page === null ? "Open the file" : `Open the file at page ${data.page}`}
            </a>
          )}
          {data.artifact_id !== null && (
            <Link to={artifactPath(data.artifact_id)} className={leadClass}>
              Open the artifact
            </Link>
          )}
        </>
      ) : error ? (
        <p role="alert" className="text-13 text-ink2">
          {message}
        </p>
      ) : (
        <Skeleton className="h-120" />
      )}
    </Dialog>
  );
}
