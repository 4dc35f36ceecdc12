import * as z from "zod/mini";
import { ModelId } from "#shared/entities/ids.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { peerModels } from "#worker/people/models/peer-models.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import { type Asked, askSubModel } from "./ask-sub-model.ts";
import { questionField, STANDALONE_QUESTION } from "./question.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { turnPerson } from "./turn-person.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

const MODELS_MIN = 2;
const MODELS_MAX = 4;
const MODELS_DEFAULT = 3;
/** A model call that takes longer is left out, so one slow model doesn't cost the others' answers. */
const MODEL_TIMEOUT_MS = 150_000;
/** Characters of each answer that the synthesis reads. */
const SUB_ANSWER_LENGTH = 12_000;

const SYSTEM =
  "Answer the question by yourself, as completely as it needs and no longer. Others answer it independently and the answers are compared: say what you are sure of, what you are not, and why. Ask nothing back.";

const HOW_TO_SYNTHESISE =
  "Now answer the user's question from these answers. Begin with your own conclusion in at most three sentences, and don't call what merely most of them said a fact. Then compare them in one markdown table. Its first column is headed 'Where they stand'; the others are the models, headed by their names as above. Its rows stand in groups, each begun by a row whose first cell alone is filled: '**Agreement**', then '**Dispute**', then '**Only one says**'. Every other row is one short point, with ✓ for a model that says so, ✗ for one that denies it, and – for one that is silent. Leave out a group without points. After the table say which side of each dispute has the better reasons, and whether what only one of them said holds.";

const Input = z.object({
  question: questionField(STANDALONE_QUESTION),
  models: z.optional(
    z
      .array(ModelId)
      .check(
        z.minLength(MODELS_MIN),
        z.maxLength(MODELS_MAX),
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
  timeoutMs: MODEL_TIMEOUT_MS + 15_000,
  async run({ question, models }, context) {
    const chosen = await chooseModels(context, models);
    if (!chosen.ok) return chosen;
    const subAnswers = await Promise.all(
      chosen.models.map(async (model, index) => {
        const name = nameWithoutVendor(model.name);
        const part = { id: `leg-${index + 1}`, title: name };
        return {
          name,
          ...(await askSubModel(context, {
            part,
            model: { ...model, requestedId: model.id, routerModels: null },
            system: SYSTEM,
            user: question,
            timeoutMs: MODEL_TIMEOUT_MS,
          })),
        };
      }),
    );
    const answered = subAnswers.filter((leg) => leg.ok);
    if (answered.length === 0) return { ok: false, error: `None of the models answered.\n${listFailed(subAnswers)}` };
    const answers = answered.map(({ name, modelId, text }) => `## ${name} (${modelId})\n\n${cut(text)}`).join("\n\n");
    const failed = answered.length < subAnswers.length ? `\n\nNot answered; say so:\n${listFailed(subAnswers)}` : "";
    return { ok: true, output: `${quoteUntrusted(answers)}${failed}\n\n${HOW_TO_SYNTHESISE}` };
  },
};

type Chosen = { ok: true; models: ResolvedModel[] } | { ok: false; error: string };

async function chooseModels(context: ToolContext, named: string[] | undefined): Promise<Chosen> {
  const { caller, settings } = await turnPerson(context);
  if (!named) {
    const models = await peerModels(context.env, { caller, settings, count: MODELS_DEFAULT });
    if (models.length >= MODELS_MIN) return { ok: true, models };
    return { ok: false, error: "The user may use fewer than two models that could be asked. They can allow more under Settings, Models." };
  }
  const ids = [...new Set(named)];
  if (ids.length < MODELS_MIN) return { ok: false, error: "Name at least two different models, or none." };
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
  return text.length > SUB_ANSWER_LENGTH ? `${text.slice(0, SUB_ANSWER_LENGTH)}…` : text;
}

function listFailed(subAnswers: (Asked & { name: string })[]): string {
  return subAnswers.flatMap((subAnswer) => (subAnswer.ok ? [] : [`- ${subAnswer.name}: ${subAnswer.error}`])).join("\n");
}
