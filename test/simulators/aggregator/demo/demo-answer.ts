import type { Message } from "../request.ts";
import { addedTo, attachmentsOf, textOf, wordsOf } from "../request.ts";
import { describeAttachments } from "./attachments.ts";
import { codeAnswer } from "./code.ts";
import { draftAnswer } from "./draft-answer.ts";
import { diagramAnswer } from "./diagrams.ts";
import { factsAnswer, knowledgeAnswer } from "./knowledge.ts";
import { mathAnswer } from "./math.ts";
import { proseAnswer } from "./prose.ts";
import { withoutQuotedFiles } from "./quoted-files.ts";
import { researchAnswer } from "./research.ts";
import { quote, subjectOf } from "./subject.ts";
import { tableAnswer } from "./tables.ts";

/** What the demonstration knows when it answers. `variant` differs between models and when the same is asked again. */
export type DemoContext = { modelName: string; prompt: string; messages: readonly Message[]; lastUserIndex: number; variant: number };

type Topic =
  | "code"
  | "table"
  | "math"
  | "diagram"
  | "everything"
  | "remembered"
  | "facts"
  | "memory"
  | "instructions"
  | "greeting"
  | "prose";

const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  ["everything", /\b(everything|kitchen sink|all you can|what can you (do|show|render))\b/i],
  ["instructions", /\b(instructions|system prompt)\b/i],
  ["remembered", /^\s*(please )?remember that\b/i],
  ["facts", /\b(know|remember|told) about me\b/i],
  ["memory", /\b(remember|recap|so far|did i (say|ask|tell)|what (did|have) (i|we)|summari[sz]e (this|our))\b/i],
  ["diagram", /\b(diagram|flow ?chart|mermaid|architecture|sequence|state machine)\b/i],
  ["table", /\b(table|compare|comparison|versus|vs|difference|pros and cons|cheaper)\b/i],
  ["math", /\b(maths?|equation|formula|integral|derivative|probability|proof|prove|solve|theorem)\b/i],
  ["code", /\b(code|coding|function|program|script|typescript|javascript|python|rust|sql|bash|shell|json|regex|debounce|implement)\b/i],
  ["greeting", /^\s*(hi|hello|hey|hallo|good (morning|afternoon|evening))\b.{0,20}$/i],
];

function topicOf(prompt: string): Topic {
  return TOPICS.find(([, words]) => words.test(prompt))?.[0] ?? "prose";
}

function earlierPrompts({ messages, lastUserIndex }: DemoContext): string[] {
  return messages
    .slice(0, lastUserIndex)
    .filter((message) => message.role === "user")
    .map((message) => withoutQuotedFiles(wordsOf(message)))
    .filter((text) => text !== "");
}

function memoryAnswer(earlier: readonly string[]): string {
  if (earlier.length === 0) return "This is the first thing you have said in this conversation, so there is nothing to look back on yet.";
  const list = earlier.slice(-10).map((text, index) => `${Math.max(0, earlier.length - 10) + index + 1}. ${quote(text, 80)}`);
  return `Before this you wrote ${earlier.length === 1 ? "one message" : `${earlier.length} messages`}:\n\n${list.join("\n")}`;
}

function systemOf(messages: readonly Message[]): string {
  return messages
    .filter((message) => message.role === "system" || message.role === "developer")
    .map(textOf)
    .join("\n\n");
}

/** What a model was given beside the conversation: with the newest question first, as passages were found for that. */
function givenIn(messages: readonly Message[]): string {
  return [...messages.toReversed().map(addedTo), systemOf(messages)].join("\n\n");
}

function instructionsAnswer(messages: readonly Message[]): string {
  const system = systemOf(messages);
  if (system.trim() === "") return "I was given no instructions.";
  return `My instructions are these:\n\n${system
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}`;
}

function everything(variant: number): string {
  return [
    "## Prose\n\nText with **bold**, *italic*, ~~struck~~ and `code`, and [a link](https://example.com/about).",
    codeAnswer("", variant),
    tableAnswer(variant),
    mathAnswer(variant),
    diagramAnswer(variant),
    "> And a quotation to end with.",
    "- [x] Headings and lists\n- [x] Code, tables, mathematics, a diagram\n- [ ] Thinking, for which a real model is needed",
  ].join("\n\n");
}

function bodyOf(topic: Topic, context: DemoContext): string {
  const { prompt, variant } = context;
  if (topic === "code") return codeAnswer(prompt, variant);
  if (topic === "table") return tableAnswer(variant);
  if (topic === "math") return mathAnswer(variant);
  if (topic === "diagram") return diagramAnswer(variant);
  if (topic === "everything") return everything(variant);
  if (topic === "remembered") return "I keep that in mind.";
  if (topic === "facts") return factsAnswer(givenIn(context.messages));
  if (topic === "memory") return memoryAnswer(earlierPrompts(context));
  if (topic === "instructions") return instructionsAnswer(context.messages);
  if (topic === "greeting") {
    return "Hello! Ask me for *code*, a *table*, some *math*, a *diagram*, or *everything*, and you will see how such answers look here. Attach an image or a file, and I say what arrived.";
  }
  return knowledgeAnswer(givenIn(context.messages), prompt) ?? proseAnswer(subjectOf(prompt), variant);
}

/** The demonstration's answer in markdown: chosen by the prompt, plain about what it is, and mindful of what was said before. */
export function demoAnswer(given: DemoContext): string {
  const system = systemOf(given.messages);
  const step = draftAnswer(system, given.prompt) ?? researchAnswer(system, given.prompt);
  if (step !== null) return step;
  const context = { ...given, prompt: withoutQuotedFiles(given.prompt) };
  const earlier = earlierPrompts(context);
  const topic = topicOf(context.prompt);
  const parts: string[] = [];
  if (earlier.length === 0) {
    parts.push(
      `I am the demo model, standing in for **${context.modelName}**: I run on this computer, and my answers are prepared, not thought.`,
    );
  } else if (topic !== "memory") {
    parts.push(`You asked earlier about ${quote(earlier.at(-1) ?? "")}; this is your message number ${earlier.length + 1}.`);
  }
  const attachments = describeAttachments(attachmentsOf(given.messages[given.lastUserIndex]), given.prompt);
  if (attachments !== "") parts.push(attachments);
  if (attachments === "" || context.prompt !== "") parts.push(bodyOf(topic, context));
  if (earlier.length === 0) {
    parts.push(
      "---\n\nTo talk to the real models, put `OPENROUTER_API_KEY=…` into `.dev.vars` (a key comes from [openrouter.ai/keys](https://openrouter.ai/keys)) and run `npm start` again.",
    );
  }
  return parts.join("\n\n");
}

/** The reasoning that a reasoning model shows before the demonstration's answer. */
export function demoReasoning(context: DemoContext): string {
  const prompt = withoutQuotedFiles(context.prompt);
  const topic = topicOf(prompt);
  const shape = {
    code: "a piece of code",
    table: "a table",
    math: "a worked calculation",
    diagram: "a diagram",
    everything: "one of each kind",
    remembered: "a short word",
    facts: "a list of what I was told",
    memory: "a list of what was said",
    instructions: "my instructions",
    greeting: "a greeting",
    prose: "a few paragraphs",
  }[topic];
  return `The message begins ${quote(prompt === "" ? "with an attachment" : prompt, 50)}. As the demo model I choose by its words: ${shape} fits.\n\nI should say plainly what I am where this is the first answer, refer to what was asked before where it is not, and keep it short enough to read while it arrives.`;
}
