import type { Model } from "#shared/entities/model.ts";
import { isPseudoModel } from "#shared/models/model-ids.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useModels } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { type DeeplinkParameter, deeplinkPath, type Deeplink } from "./deeplink.ts";
import { DeeplinkText } from "./deeplink-text.tsx";
import type { Known } from "./plan-deeplink.ts";

const PARAMETERS: readonly [name: DeeplinkParameter, what: string][] = [
  ["prompt", "The text that stands in the message box. It is taken as it is."],
  ["template", "The id of one of your prompts. Its variables are asked for first; with a prompt too, that follows it."],
  ["model", "The id of the model that answers."],
  ["persona", "The id of the persona that answers."],
  ["knowledge", "The ids of the knowledge to read, with commas between them."],
  ["auto_settings", "With true, Autopilot picks what the link leaves open."],
];

type DeeplinkDocsProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** What a link to a new chat can say, with examples that work here. */
export function DeeplinkDocs({ open, onOpenChange }: DeeplinkDocsProps) {
  const { user } = useSession();
  const { data } = useModels();
  const { personas } = usePersonas();
  const { prompts } = usePrompts();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="How deeplinks work"
      subtitle="A deeplink opens a new chat that is ready to go. It never sends anything by itself."
      width={680}
      footer={<Button onClick={() => onOpenChange(false)}>Done</Button>}
    >
      <p className="text-14 text-ink2">
        <code className="font-mono text-13 break-all text-ink">{`${location.origin}/new`}</code> takes these parameters, in any order and
        all of them optional:
      </p>
      <dl className="mt-12 divide-y divide-line border-y border-line text-14">
        {PARAMETERS.map(([name, what]) => (
          <div key={name} className="flex flex-col gap-x-16 py-8 min-[520px]:flex-row">
            <dt className="w-128 shrink-0 font-mono text-13 text-accent">{name}</dt>
            <dd className="min-w-0 flex-1 text-ink2">{what}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-12 text-14 text-ink2">
        What is unknown, belongs to somebody else or isn't allowed is named and left out. A text that a link carries has to be
        percent-encoded; the builder does that. Who isn't signed in gets the text at once, and the rest after signing in.
      </p>
      <h3 className="mt-20 mb-4 text-13 font-medium text-ink">Examples</h3>
      <ul className="space-y-12">
        {examplesOf({ models: data?.models ?? [], user, personas, prompts }).map(({ what, link }) => (
          <li key={what}>
            <p className="text-13 text-ink2">{what}</p>
            <a
              href={`${location.origin}${deeplinkPath(link)}`}
              target="_blank"
              rel="noopener"
              className="block rounded-6 font-mono text-13 leading-[20px] break-all text-ink hover:underline touch:min-h-44"
            >
              <DeeplinkText link={link} />
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type Named = { id: string; name: string; is_personalized?: boolean };
type Here = { models: readonly Model[]; user: Known["user"]; personas: readonly Named[]; prompts: readonly Named[] };
type Example = { what: string; link: Deeplink };

const NOTHING: Deeplink = { model: null, prompt: null, template: null, persona: null, knowledge: [], autoSettings: false };

/** Three links that work for this person in this deployment: they name only what there is. */
export function examplesOf({ models, user, personas, prompts }: Here): Example[] {
  const usable = selectableModels(models, user?.model_allowlist ?? null).filter((model) => barrierOf(model, user) === "none");
  const model = usable.find(({ id }) => !isPseudoModel(id)) ?? usable[0];
  const persona = personas.find((one) => !one.is_personalized) ?? personas[0];
  const [template] = prompts;
  return [
    template
      ? { what: `A new chat with your prompt “${template.name}”:`, link: { ...NOTHING, template: template.id } }
      : { what: "A text in the message box:", link: { ...NOTHING, prompt: "Plan a weekend in Lisbon for two." } },
    model
      ? { what: `A text for ${model.name}:`, link: { ...NOTHING, prompt: "Explain tides to a child.", model: model.id } }
      : { what: "A longer text:", link: { ...NOTHING, prompt: "Explain tides to a child. Then to a sailor." } },
    persona
      ? {
          what: `The persona “${persona.name}”, with the model and the tools picked by Autopilot:`,
          link: { ...NOTHING, persona: persona.id, autoSettings: true },
        }
      : { what: "Model and tools picked by Autopilot:", link: { ...NOTHING, prompt: "What is new in Lisbon?", autoSettings: true } },
  ];
}
