import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { KnowledgeForm } from "./knowledge-form.tsx";
import { useKnowledgeEntry } from "./use-knowledge.ts";

/** An entry as it is now, to be changed. */
export function EditedKnowledge({ id, onLeave }: { id: string; onLeave: () => void }) {
  const { data, isError, isFetching, refetch } = useKnowledgeEntry(id);
  if (data) return <KnowledgeForm key={data.id} entry={data} onLeave={onLeave} onMade={() => undefined} />;
  if (isError && !isFetching) {
    return (
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 pt-20 text-13 text-ink2">
        <p role="alert">This knowledge could not be loaded.</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
        <Button size="sm" variant="quiet" onClick={onLeave}>
          Back
        </Button>
      </div>
    );
  }
  return (
    <div aria-busy className="space-y-16 px-24 pt-24">
      <Skeleton className="h-20 w-1/3" />
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-192 w-full" />
    </div>
  );
}
