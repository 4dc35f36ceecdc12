/** An external conversation as a tree of questions and answers: what others keep as many small steps is one answer here. */

/** A file that a message carries: an entry of the archive, or text that is in the conversation itself; neither where only its name is known. */
export type ExternalFile = { name: string; entry: string | null; text: string | null };

/** What one step of a conversation says. `at` is ISO 8601. */
export type MessageBody = {
  content: string;
  reasoning: string | null;
  reasoningMs: number | null;
  modelId: string | null;
  citations: { url: string; title: string | null }[];
  files: ExternalFile[];
  /** What was made of calls, each at a place in the content. */
  calls: readonly (ImportedCall & { place: number })[];
  at: string | null;
};

/** A call as one of a tool of ours: `arguments` and `output` are JSON. */
export type ImportedCall = { tool: string; arguments: string; output: string };

/** A step as the export has it; one without words of its own keeps the place of those behind it. */
export type SourceNode = { id: string; parentId: string | null; role: "user" | "assistant" | "hidden"; body: MessageBody | null };

export type TreeMessage = MessageBody & { id: string; parentId: string | null; role: "user" | "assistant" };

/** Messages with parents before children, the end of the chosen branch, and how many other branches there are. */
export type MessageTree = { messages: TreeMessage[]; headId: string | null; branches: number };

/** Steps of one answer, the last first; answers that begin alike share them. `id` is that of the message it became. */
type Run = { body: MessageBody; before: Run | null; id: string | null };
type Place = { parentId: string | null; run: Run | null };

/** Stands for the question where a conversation begins with an answer. */
const NO_QUESTION = "(This conversation began with an answer.)";

/**
 * Builds the tree of steps in any order. A parent that is missing makes a step a beginning, and so does a circle of parents, so
 * nothing is lost; each step is taken once. Steps of the model in a row are one answer, and one that goes on in two ways is two.
 */
export function buildTree(nodes: readonly SourceNode[], chosenId: string | null): MessageTree {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string, SourceNode[]>();
  const roots: SourceNode[] = [];
  for (const node of byId.values()) {
    if (node.parentId === null || node.parentId === node.id || !byId.has(node.parentId)) roots.push(node);
    else children.set(node.parentId, [...(children.get(node.parentId) ?? []), node]);
  }
  const chosenLeaf = leafBelow(chosenId, children);
  const messages: TreeMessage[] = [];
  const visited = new Set<string>();
  let headId: string | null = null;

  function emit(role: "user" | "assistant", body: MessageBody, parentId: string | null): string {
    const id = crypto.randomUUID();
    messages.push({ ...body, id, parentId, role });
    return id;
  }

  function endOf({ parentId, run }: Place): string | null {
    if (run === null) return parentId;
    if (run.id !== null) return run.id;
    const body = joinRun(run);
    if (isEmpty(body)) return parentId;
    run.id = emit("assistant", body, parentId ?? emit("user", { ...EMPTY, content: NO_QUESTION, at: body.at }, null));
    return run.id;
  }

  function placeOf({ role, body }: SourceNode, place: Place): Place {
    if (role === "hidden" || body === null) return place;
    if (role === "assistant") return { parentId: place.parentId, run: { body, before: place.run, id: null } };
    return { parentId: emit("user", body, endOf(place)), run: null };
  }

  function walk(root: SourceNode): void {
    const stack: { node: SourceNode; place: Place }[] = [{ node: root, place: { parentId: null, run: null } }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node } = next;
      if (visited.has(node.id)) continue;
      visited.add(node.id);
      const place = placeOf(node, next.place);
      const below = (children.get(node.id) ?? []).filter(({ id }) => !visited.has(id));
      if (below.length === 0) {
        const end = endOf(place);
        if (node.id === chosenLeaf) headId = end;
      }
      for (const child of below.toReversed()) stack.push({ node: child, place });
    }
  }

  for (const root of roots) walk(root);
  for (const node of byId.values()) if (!visited.has(node.id)) walk(node);
  const inner = new Set(messages.map(({ parentId }) => parentId));
  const leaves = messages.filter(({ id }) => !inner.has(id));
  return { messages, headId: headId ?? newestOf(leaves)?.id ?? null, branches: Math.max(0, leaves.length - 1) };
}

/** The end of the branch through a step, by its last children. */
function leafBelow(id: string | null, children: ReadonlyMap<string, readonly SourceNode[]>): string | null {
  const seen = new Set<string>();
  let leaf = id;
  while (leaf !== null && !seen.has(leaf)) {
    seen.add(leaf);
    const last = children.get(leaf)?.at(-1);
    if (!last) return leaf;
    leaf = last.id;
  }
  return leaf;
}

function newestOf(messages: readonly TreeMessage[]): TreeMessage | undefined {
  return messages.reduce<TreeMessage | undefined>((newest, message) => {
    return newest && (newest.at ?? "") > (message.at ?? "") ? newest : message;
  }, undefined);
}

export const EMPTY: MessageBody = {
  content: "",
  reasoning: null,
  reasoningMs: null,
  modelId: null,
  citations: [],
  files: [],
  calls: [],
  at: null,
};

function joinRun(run: Run): MessageBody {
  const steps: MessageBody[] = [];
  for (let step: Run | null = run; step; step = step.before) steps.push(step.body);
  steps.reverse();
  const join = (texts: (string | null)[]) => texts.filter((text) => text !== null && text.trim() !== "").join("\n\n");
  let length = 0;
  const calls = steps.flatMap(({ content, calls: own }) => {
    const begin = content.trim() === "" || length === 0 ? length : length + "\n\n".length;
    if (content.trim() !== "") length = begin + content.length;
    return own.map((call) => ({ ...call, place: content.trim() === "" ? length : begin + call.place }));
  });
  const milliseconds = steps.reduce((sum, { reasoningMs }) => sum + (reasoningMs ?? 0), 0);
  return {
    content: join(steps.map(({ content }) => content)),
    reasoning: join(steps.map(({ reasoning }) => reasoning)) || null,
    reasoningMs: milliseconds === 0 ? null : milliseconds,
    modelId: steps.findLast(({ modelId }) => modelId !== null)?.modelId ?? null,
    citations: steps.flatMap(({ citations }) => citations),
    files: steps.flatMap(({ files }) => files),
    calls,
    at: steps.findLast(({ at }) => at !== null)?.at ?? null,
  };
}

function isEmpty({ content, reasoning, files, calls }: MessageBody): boolean {
  return content === "" && reasoning === null && files.length === 0 && calls.length === 0;
}
