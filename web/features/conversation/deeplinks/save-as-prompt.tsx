import { useMutation } from "@tanstack/react-query";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { DEEPLINK_LENGTH } from "./deeplink.ts";
import { parsePrompt } from "#shared/library/prompt-template.ts";

type KeepAsPromptProps = { text: string; isGuest: boolean; onPromptSaved: (prompt: Prompt) => void };

/** Stands in the link's place where the text is too long for one: kept as a prompt, it is named by the link instead. */
export function SaveAsPrompt({ text, isGuest, onPromptSaved }: KeepAsPromptProps) {
  const keeping = useMutation({
    mutationFn: () => call(createPrompt, { body: { name: promptNameOf(text), content: text } }),
    onSuccess: ({ prompt }) => {
      void queryClient.invalidateQueries({ queryKey: keys.prompts });
      onPromptSaved(prompt);
    },
    onError: (error) => toast({ title: "The prompt was not saved", description: error.message, tone: "danger" }),
  });
  const problem = promptSyntaxProblem(text);
  return (
    <section aria-label="Link" className="flex flex-wrap items-center gap-12 border-t border-line bg-s1 px-24 py-16">
      <p className="min-w-240 flex-1 text-13 text-ink2">
        {`This text is too long for a link, which may have ${DEEPLINK_LENGTH.toLocaleString("en")} characters. `}
        {problem !== null
          ? `Shorten it: it can't be saved as a prompt, ${problem}.`
          : isGuest
            ? "Shorten it, or sign in to save it as a prompt."
            : "Saved as one of your prompts, the link can name it instead. Such a link works for you, and for a team that you share the prompt with."}
      </p>
      {!isGuest && problem === null && (
        <Button variant="primary" size="sm" busy={keeping.isPending} onClick={() => keeping.mutate()}>
          Save as prompt
        </Button>
      )}
    </section>
  );
}

/** Why a link's text, which is taken as it stands, would not be as a prompt, where places are filled in and `---` parts steps; null where it would. */
export function promptSyntaxProblem(text: string): string | null {
  const steps = parsePrompt(text);
  if (steps.length > 1) return "as its lines of --- would make steps of it";
  const place = steps.flat().find(({ kind }) => kind !== "text");
  return place === undefined ? null : `which would fill in ${place.text}`;
}

const NAME_LENGTH = 60;

/** A name for a text that is kept as a prompt: how it begins. */
export function promptNameOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= NAME_LENGTH ? line : `${characters.slice(0, NAME_LENGTH).join("").trim()}…`;
}
