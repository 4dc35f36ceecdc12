import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import type { Pane } from "./pane.ts";
import { PromptForm } from "./prompt-form.tsx";
import { usePrompt } from "./use-prompts.ts";

type PromptPaneProps = { pane: Pane; onPane: (pane: Pane) => void; isWide: boolean };

/** What stands beside the list, or on phones in its place. */
export function PromptPane({ pane, onPane, isWide }: PromptPaneProps) {
  const leave = () => onPane({ kind: "idle" });
  const edit = (id: string) => onPane({ kind: "edit", id });
  if (pane.kind === "idle") return isWide ? <Idle /> : null;
  if (pane.kind === "new") return <PromptForm key={`new ${pane.from}`} prompt={null} from={pane.from} onDone={leave} onCopied={edit} />;
  return <EditedPrompt key={pane.id} id={pane.id} onDone={leave} onCopied={edit} />;
}

function EditedPrompt({ id, onDone, onCopied }: { id: string; onDone: () => void; onCopied: (id: string) => void }) {
  const { data, isError, isFetching, refetch } = usePrompt(id);
  if (data) return <PromptForm prompt={data} onDone={onDone} onCopied={onCopied} />;
  if (isError && !isFetching) {
    return (
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 pt-20 text-13 text-ink2">
        <p role="alert">The prompt could not be loaded.</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
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

function Idle() {
  return (
    <div className="max-w-480 space-y-8 px-24 pt-20 text-13 text-ink2">
      <p className="font-serif text-18 text-ink">What you ask again and again</p>
      <p>
        Write it once, and leave blanks: {"{{client}}"} is asked for when the prompt is used, {"{{tone:formal,friendly}}"} is a choice, and{" "}
        {"{{audience=experts}}"} has a default. {"{{CURRENT_DATE}}"} and {"{{USER_NAME}}"} are filled in.
      </p>
      <p>
        A line of --- begins the next step: the steps run one after another, and {"{{LAST_ANSWER}}"} stands for the answer to the step
        before.
      </p>
    </div>
  );
}
