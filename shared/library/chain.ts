const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;
const BREAK = /^---[ \t]*$/;

/** The steps of a prompt with `---` alone on a line, outside code fences; a prompt of one step is answered as it is. */
export function splitSteps(prompt: string): string[] {
  const steps: string[][] = [[]];
  let fence: string | null = null;
  for (const line of prompt.split(/\r?\n/)) {
    if (fence === null && BREAK.test(line)) {
      steps.push([]);
      continue;
    }
    fence = fenceAfter(line, fence);
    steps.at(-1)?.push(line);
  }
  const texts = steps.map((lines) => lines.join("\n").trim()).filter((text) => text !== "");
  return texts.length > 1 ? texts : [prompt];
}

/** The fence that is open after a line: a closing one is at least as long as the one that opened, and has no more on its line. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, marks = "", rest = ""] = FENCE.exec(line) ?? [];
  if (marks === "") return open;
  if (open === null) return marks.startsWith("`") && rest.includes("`") ? null : marks;
  return marks.startsWith(open) && rest.trim() === "" ? null : open;
}
