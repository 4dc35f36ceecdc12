import * as z from "zod";
import { textOf, type Message } from "../request.ts";
import { mailAnswer } from "./demo-mail.ts";

const Todos = z.object({ todos: z.array(z.object({ text: z.string(), status: z.string() })) });

const PAGE = /^\[(\d+)\] (.+?) \(https?:[^)]*\)\n([^\n]+)/gm;
const SUB_ANSWER_HEADING = /^## (.+?) \((\S+)\)$/gm;

/** What the demonstration makes of a tool that it called by itself; null where it has no words of its own for the result. */
export function demoToolAnswer(sinceUser: readonly Message[]): string | null {
  const made = sinceUser.flatMap((message) => message.tool_calls ?? []).at(-1)?.function.name;
  const result = textOf(sinceUser.at(-1));
  switch (made) {
    case "parallelWebSearch":
    case "exaCrawl":
      return pagesAnswer(result);
    case "gmailSearch":
    case "gmailRead":
    case "gmailDraft":
    case "gmailSend":
      return mailAnswer(made, result);
    case "exaImageSearch":
      return imagesAnswer(result);
    case "saveMemory":
      return "I keep that in mind.";
    case "addTodoItem":
      return todosAnswer(result);
    case "multiModelSynthesis":
      return synthesisAnswer(result);
    case "truthSeekRefine":
      return refinedAnswer(result);
    default:
      return null;
  }
}

function pagesAnswer(result: string): string | null {
  const pages = [...result.matchAll(PAGE)].slice(0, 4);
  if (pages.length === 0) return null;
  const lines = pages.map(([, number, title, text = ""]) => `- **${title}**: ${text.split(/(?<=[.!?]) /)[0]} [${number}]`);
  return `This is what the pages say:\n\n${lines.join("\n")}\n\nI am the demo model: while no search service has a key, these pages exist on this computer alone.`;
}

function imagesAnswer(result: string): string | null {
  const count = /The user sees (\d+) images/.exec(result)?.[1];
  const pages = [...result.matchAll(/^\[(\d+)\] (.+?) \(/gm)].map(([, number, title]) => `${title} [${number}]`);
  return count === undefined ? null : `Here are ${count} pictures. They stand on these pages: ${pages.join(", ")}.`;
}

function todosAnswer(result: string): string | null {
  try {
    const { todos } = Todos.parse(JSON.parse(result));
    const lines = todos.map(({ text, status }) => `- [${status === "complete" ? "x" : " "}] ${text}`);
    return `The todo list of this chat now reads:\n\n${lines.join("\n")}\n\nIt is under Todo in the chat's menu.`;
  } catch {
    return null;
  }
}

/** The refined text without its list of changes, which stands beside it. */
function refinedAnswer(result: string): string {
  const [text = ""] = result.split("\n\nGive the user this answer");
  const [answer = "", uncertain] = text.replace(/\n\n## What changed[\s\S]*?(?=\n\n## |$)/, "").split("\n\n## Still uncertain\n\n- ");
  return uncertain === undefined ? answer : `${answer}\n\n**Still uncertain:** ${uncertain}`;
}

/** Every model for the first two points, one against the third, the first alone for the last. */
function stances(names: readonly string[]): string {
  const row = (point: string, mark: (index: number) => string) => `| ${[point, ...names.map((_, index) => mark(index))].join(" | ")} |`;
  return [
    row("Where they stand", (index) => names[index] ?? ""),
    row("---", () => ":-:"),
    row("**Agreement**", () => ""),
    row("All of them stand in for real models", () => "✓"),
    row("Their answers are prepared", () => "✓"),
    row("**Dispute**", () => ""),
    row("Which words say so best", (index) => (index === 0 ? "✗" : "✓")),
    row("**Only one says**", () => ""),
    row("It was the first to answer", (index) => (index === 0 ? "✓" : "–")),
  ].join("\n");
}

function synthesisAnswer(result: string): string | null {
  const names = [...result.matchAll(SUB_ANSWER_HEADING)].map(([, name = ""]) => name);
  if (names.length === 0) return null;
  return [
    `I asked ${names.join(", ")}; each one's answer stands above. With keys for the real models their views are weighed here.`,
    stances(names),
    "They differ in their choice of words alone, so no side has the better reasons.",
  ].join("\n\n");
}
