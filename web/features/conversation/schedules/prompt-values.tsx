import { initialValue, parsePrompt, variablesOf } from "#shared/library/prompt-template.ts";
import { usePrompt } from "#web/features/library/prompts/use-prompts.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import type { SavedPrompt } from "./schedule-draft.ts";

type PromptValuesProps = { prompt: SavedPrompt; values: Record<string, string>; onChange: (values: Record<string, string>) => void };

/** A saved prompt that is sent, with what its places are filled with each time. */
export function PromptValues({ prompt, values, onChange }: PromptValuesProps) {
  const { data, isError } = usePrompt(prompt.id);
  const steps = data ? parsePrompt(data.content) : [];
  const variables = variablesOf(steps.flat());
  return (
    <div>
      <p className="text-13 font-medium text-ink">Prompt</p>
      <p className="mt-4 text-14 text-ink2">
        {data?.name ?? prompt.name}
        {steps.length > 1 && `, ${steps.length} steps`}
        {isError && ". It could not be loaded."}
      </p>
      {!data && !isError && <Skeleton className="mt-8 h-36 w-full" />}
      {variables.map((variable) => {
        const value = values[variable.name] ?? initialValue(variable);
        const set = (next: string) => onChange({ ...values, [variable.name]: next });
        return variable.kind === "choice" ? (
          <div key={variable.name} className="mt-12">
            <p className="mb-6 text-13 font-medium text-ink">{variable.name}</p>
            <Select
              label={variable.name}
              value={value}
              options={variable.choices.map((choice) => ({ value: choice, label: choice }))}
              onChange={set}
            />
          </div>
        ) : (
          <TextField
            key={variable.name}
            className="mt-12"
            label={variable.name}
            value={value}
            onChange={({ target }) => set(target.value)}
          />
        );
      })}
    </div>
  );
}
