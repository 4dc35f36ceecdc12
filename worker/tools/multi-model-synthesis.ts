import * as z from "zod/mini";
import { ModelId } from "#shared/entities/ids.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { nameWithoutMaker } from "#shared/models/model-names.ts";
import { AppError } from "../app-error.ts";
import { peerModels } from "../models/peer-models.ts";
import { type ResolvedModel, resolveModel } from "../models/resolve-model.ts";
import { type Asked, askLeg } from "./ask-leg.ts";
import { questionField, WHOLE_QUESTION } from "./question.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { turnPerson } from "./turn-person.ts";
import { quoteUntrusted } from "./untrusted.ts";

const LEGS_MIN = 2;
const LEGS_MAX = 4;
const LEGS_DEFAULT = 3;
/** A leg that takes longer is left out, so one slow model doesn't cost the others' answers. */
const LEG_TIMEOUT_MS = 150_000;
/** Characters of each answer that the synthesis reads. */
const LEG_CHARACTERS = 12_000;

const SYSTEM =
  "Answer the question by yourself, as completely as it needs and no longer. Others answer it independently and the answers are compared: say what you are sure of, what you are not, and why. Ask nothing back.";

const HOW_TO_SYNTHESISE =
  "Now answer the user's question from these answers. Begin with your own conclusion in at most three sentences, and don't call what merely most of them said a fact. Then compare them in one markdown table. Its first column is headed 'Where they stand'; the others are the models, headed by their names as above. Its rows stand in groups, each begun by a row whose first cell alone is filled: '**Agreement**', then '**Dispute**', then '**Only one says**'. Every other row is one short point, with ✓ for a model that says so, ✗ for one that denies it, and – for one that is silent. Leave out a group without points. After the table say which side of each dispute has the better reasons, and whether what only one of them said holds.";

const Input = z.object({
  question: questionField(WHOLE_QUESTION),
  models: z.optional(
    z
      .array(ModelId)
      .check(
        z.minLength(LEGS_MIN),
        z.maxLength(LEGS_MAX),
        z.describe("2 to 4 model ids, only where the user named models. Otherwise leave it out: models of different makers are chosen."),
      ),
  ),
});

/** Asks several models the same question at once; the model that called it then writes the synthesis. */
export const multiModelSynthesis: Tool<typeof Input> = {
  id: "multiModelSynthesis",
  description:
    "Asks several models of different makers the same question at once and answers with what each said, for you to synthesise. Use it when the user wants several models' views, or a question is contested and important enough for that.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  // Some of them read the web by themselves.
  readsOutside: true,
  timeoutMs: LEG_TIMEOUT_MS + 15_000,
  async run({ question, models }, context) {
    const chosen = await chooseLegs(context, models);
    if (!chosen.ok) return chosen;
    const legs = await Promise.all(
      chosen.models.map(async (model, index) => {
        const name = nameWithoutMaker(model.name);
        const part = { id: `leg-${index + 1}`, title: name };
        return {
          name,
          ...(await askLeg(context, {
            part,
            model: { ...model, requestedId: model.id, routerModels: null },
            system: SYSTEM,
            user: question,
            timeoutMs: LEG_TIMEOUT_MS,
          })),
        };
      }),
    );
    const answered = legs.filter((leg) => leg.ok);
    if (answered.length === 0) return { ok: false, error: `None of the models answered.\n${listFailed(legs)}` };
    const answers = answered.map(({ name, modelId, text }) => `## ${name} (${modelId})\n\n${cut(text)}`).join("\n\n");
    const failed = answered.length < legs.length ? `\n\nNot answered; say so:\n${listFailed(legs)}` : "";
    return { ok: true, output: `${quoteUntrusted(answers)}${failed}\n\n${HOW_TO_SYNTHESISE}` };
  },
};

type Chosen = { ok: true; models: ResolvedModel[] } | { ok: false; error: string };

async function chooseLegs(context: ToolContext, named: string[] | undefined): Promise<Chosen> {
  const { caller, settings } = await turnPerson(context);
  if (!named) {
    const models = await peerModels(context.env, { caller, settings, count: LEGS_DEFAULT });
    if (models.length >= LEGS_MIN) return { ok: true, models };
    return { ok: false, error: "The user may use fewer than two models that could be asked. They can allow more under Settings, Models." };
  }
  const ids = [...new Set(named)];
  if (ids.length < LEGS_MIN) return { ok: false, error: "Name at least two different models, or none." };
  const models: ResolvedModel[] = [];
  for (const id of ids) {
    try {
      if (id === AUTO_MODEL_ID) return { ok: false, error: "'auto' is a router and no model: name models, or none." };
      models.push(await resolveModel(context.env, { requested: id, caller, ...settings }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ok: false, error: `${id} cannot be asked: ${error.message} Name other models, or none.` };
    }
  }
  return { ok: true, models };
}

function cut(text: string): string {
  return text.length > LEG_CHARACTERS ? `${text.slice(0, LEG_CHARACTERS)}…` : text;
}

function listFailed(legs: (Asked & { name: string })[]): string {
  return legs.flatMap((leg) => (leg.ok ? [] : [`- ${leg.name}: ${leg.error}`])).join("\n");
}
