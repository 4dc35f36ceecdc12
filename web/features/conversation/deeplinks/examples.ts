import type { Model } from "#shared/entities/model.ts";
import { isPseudoModel } from "#shared/models/model-ids.ts";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import type { Deeplink } from "./deeplink.ts";
import type { Known } from "./plan-deeplink.ts";

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
