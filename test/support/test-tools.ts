import * as z from "zod/mini";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { TOOLS } from "#worker/tools.ts";
import { TOOL_SOURCES } from "#worker/conversation/tools/tool-sources.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { until } from "./until.ts";
import type { Client } from "./worker.ts";

/** What the test's tools have done, in the order in which they began. */
export const ran: string[] = [];

/** The names whose held calls may end. A call asks for itself, as no object can be woken from outside its own context. */
export const released = new Set<string>();

const Named = z.object({ name: z.string().check(z.minLength(1, "A name is needed.")) });

/** Answers at once. */
const echo: Tool<typeof Named> = {
  id: "testEcho",
  description: "Says a name back.",
  input: Named,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  async run({ name }, { charge, cite, part }) {
    ran.push(name);
    if (name === "throws") throw new Error("broken");
    if (name === "fails") return { ok: false, error: "No such name." };
    if (name === "costs") charge(0.01);
    part({ id: "step", title: "Saying it" });
    part({ id: "step", text: `saying ${name}`, status: "done" });
    const number = cite({ url: `https://example.com/${name}`, title: name });
    if (name.startsWith("long")) return { ok: true, output: `${name} ${"and on ".repeat(13_000)}` };
    return { ok: true, output: `echo ${name} [${number}]` };
  },
};

/** Answers when the test lets it. */
const hold: Tool<typeof Named> = {
  ...echo,
  id: "testHold",
  async run({ name }, { signal }) {
    ran.push(name);
    await until("the call to be released", async () => released.has(name) || signal.aborted);
    return { ok: true, output: `held ${name}` };
  },
};

/** Never answers, and is given up soon. */
const slow: Tool<typeof Named> = { ...hold, id: "testSlow", timeoutMs: 20 };

/** Acts outside, so it asks first. */
const send: Tool<typeof Named> = {
  ...echo,
  id: "testSend",
  actsOutside: true,
  async run({ name }, { signal }) {
    ran.push(name);
    if (name.startsWith("hold")) await until("the call to be released", async () => released.has(name) || signal.aborted);
    return { ok: true, output: `sent to ${name}` };
  },
};

const TEST_TOOLS: Tool[] = [echo, hold, slow, send];

/** Adds the test's tools to the registry, once for each runtime, and forgets what they did in the files before. */
export function addTestTools(): void {
  ran.length = 0;
  released.clear();
  for (const tool of TEST_TOOLS) {
    if (!TOOLS.includes(tool)) TOOLS.push(tool);
    TOOL_SOURCES[tool.id] = null;
  }
}

/** Switches the test's tools on for a person, in every chat. */
export async function switchOnTestTools(client: Client): Promise<void> {
  const on = { enabled: true, is_always_on_override: true };
  await client.take(putToolSettings, { body: { settings: Object.fromEntries(TEST_TOOLS.map(({ id }) => [id, on])) } });
}
