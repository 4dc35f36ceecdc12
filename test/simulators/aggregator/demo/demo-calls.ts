import { textOf, type Message } from "../request.ts";
import { MAIL_REQUEST, mailQuery, nextMailStep } from "./demo-mail.ts";
import { withoutQuotedFiles } from "./quoted-files.ts";
import { significantWords } from "./subject.ts";

export type DemoCall = { name: string; arguments: string };
export type DemoRound = { before: string | null; calls: DemoCall[] };

type Input = { tool: string; pattern: RegExp; make(prompt: string): { before: string; inputs: Record<string, unknown>[] } };

/** What a prompt must say for the demonstration to reach for a tool by itself: plain requests alone, so it never surprises. */
const REQUESTS: readonly Input[] = [
  {
    tool: "truthSeekDraft",
    pattern: /\bfact-?check|\btruth.?seek/i,
    make: (prompt) => ({ before: "I draft an answer, have another model check it, and refine it.", inputs: [{ question: prompt }] }),
  },
  {
    tool: "multiModelSynthesis",
    pattern: /\b(several|different|other) models\b/i,
    make: (prompt) => ({ before: "I ask several models and compare what they say.", inputs: [{ question: prompt }] }),
  },
  {
    tool: "blandCall",
    // At the beginning: what the chat says of a call that has ended is no request for another one.
    pattern: /^\s*(please )?(call|phone|ring)\b.*\+\d[\d ()-]{6,}/is,
    make: (prompt) => ({
      before: "I would call them with this.",
      inputs: [{ phone_number: /\+\d[\d ()-]{6,}/.exec(prompt)?.[0].trim() ?? "", task: prompt.slice(0, 2000), max_duration: 5 }],
    }),
  },
  {
    tool: "codegenCreateAgentRun",
    pattern: /\b(ask|have|let) the code agent\b/i,
    make: (prompt) => ({ before: "I hand this to the code agent.", inputs: [{ prompt: prompt.slice(0, 2000) }] }),
  },
  {
    tool: "gmailSearch",
    pattern: MAIL_REQUEST,
    make: (prompt) => ({ before: "I look into your mail.", inputs: [{ query: mailQuery(significantWords(prompt)) }] }),
  },
  {
    tool: "exaImageSearch",
    pattern: /\b(pictures?|images?|photos?) of\b/i,
    make: (prompt) => ({ before: "I look for pictures.", inputs: [{ query: subject(prompt), count: 6 }] }),
  },
  {
    tool: "exaCrawl",
    pattern: /\b(read|summari[sz]e|open)\b.*https?:\/\//i,
    make: (prompt) => ({ before: "I read it first.", inputs: [{ urls: prompt.match(/https?:\/\/[^\s)>\]]+/g)?.slice(0, 8) ?? [] }] }),
  },
  {
    tool: "parallelWebSearch",
    pattern: /\b(search (the web|online)|look up|on the web)\b/i,
    make: (prompt) => ({
      before: "I search the web for that.",
      inputs: [{ objective: prompt.slice(0, 2000), search_queries: [subject(prompt), `${subject(prompt)} explained`] }],
    }),
  },
  {
    tool: "saveMemory",
    pattern: /^\s*(please )?remember that\b/i,
    make: (prompt) => ({ before: "I save it.", inputs: [{ fact: factOf(prompt) }] }),
  },
  {
    tool: "addTodoItem",
    pattern: /\b(to-?do list|todos)\b/i,
    make: (prompt) => ({
      before: "I write the steps down.",
      inputs: ["Gather what is known about", "Decide what matters for", "Write the result on"].map((step) => ({
        text: `${step} ${subject(prompt)}`,
      })),
    }),
  },
];

/** What to remember, as facts are written: `I live in Porto.` is `lives in Porto`. */
function factOf(prompt: string): string {
  const statement = prompt.replace(/^\s*(please )?remember that\s+/i, "").split("\n")[0] ?? "";
  const plain = statement.replace(/[.!\s]+$/u, "").replace(/^i am\b|^i'm\b/i, "is");
  const stated = plain
    .replace(/^i (\p{Ll}+)/iu, (_, verb: string) => (/(?:s|sh|ch|x|o)$/.test(verb) ? `${verb}es` : `${verb}s`))
    .replace(/^haves\b/, "has");
  const fact = stated.replaceAll(/\bmy\b/gi, "their").slice(0, 200);
  return fact.charAt(0).toUpperCase() + fact.slice(1);
}

const REQUEST_WORDS = /^(search|web|online|look|up|find|pictures?|images?|photos?|to-?do|todos|list|add|ask|read|summari[sz]e)$/i;

function subject(prompt: string): string {
  const words = significantWords(prompt.replaceAll(/https?:\/\/\S+/g, "")).filter((word) => !REQUEST_WORDS.test(word));
  return words.slice(0, 6).join(" ").slice(0, 180) || "this";
}

/** The tools that the demonstration calls next, or null where it answers. */
export function demoCalls(wholePrompt: string, offered: ReadonlySet<string>, sinceUser: readonly Message[]): DemoRound | null {
  const prompt = withoutQuotedFiles(wholePrompt);
  const last = sinceUser.at(-1);
  if (last?.role === "tool") {
    const made = sinceUser.flatMap((message) => message.tool_calls ?? []).at(-1)?.function.name;
    return nextMailStep(prompt, made, textOf(last)) ?? nextTruthStep(prompt, sinceUser, textOf(last));
  }
  const request = REQUESTS.find(({ tool, pattern }) => offered.has(tool) && pattern.test(prompt));
  if (!request) return null;
  const { before, inputs } = request.make(prompt);
  return { before, calls: inputs.map((input) => ({ name: request.tool, arguments: JSON.stringify(input) })) };
}

function nextTruthStep(question: string, sinceUser: readonly Message[], result: string): DemoRound | null {
  const calls = sinceUser.flatMap((message) => message.tool_calls ?? []);
  const made = calls.at(-1)?.function;
  const step = (name: string, input: Record<string, unknown>): DemoRound => ({
    before: null,
    calls: [{ name, arguments: JSON.stringify(input) }],
  });
  if (made?.name === "truthSeekDraft") {
    const [, model, draft] = /^Draft by (\S+):\n\n([\s\S]*)\n\nNow call /.exec(result) ?? [];
    return draft === undefined ? null : step("truthSeekCritique", { question, draft, draft_model: model });
  }
  if (made?.name !== "truthSeekCritique") return null;
  const [, critique] = /^Critique by [^\n]*:\n\n([\s\S]*)\n\nNow call /.exec(result) ?? [];
  const earlier: unknown = JSON.parse(made.arguments);
  const draft = typeof earlier === "object" && earlier !== null && "draft" in earlier ? earlier.draft : "";
  return critique === undefined ? null : step("truthSeekRefine", { question, draft, critique });
}
