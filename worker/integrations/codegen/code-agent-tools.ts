/** The tools of the code agent. Their service is asked when a model calls one: it is no part of the Worker's start. */
import * as z from "zod/mini";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const PROMPT_LENGTH = 20_000;
const PEOPLE_MAX = 100;

const load = {
  client: loadOnce(() => import("#worker/platform/clients/runs/codegen.ts")),
  access: loadOnce(() => import("./with-access.ts")),
};

const NewRunInput = z.object({
  prompt: z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(PROMPT_LENGTH),
      z.describe("What the agent is to do, with all that it needs to know: it reads nothing of this chat."),
    ),
  repo_id: z.optional(z.int().check(z.describe("The repository's number, where there are several."))),
  model: z.optional(z.string().check(z.maxLength(100), z.describe("The agent's own model, unless its default will do."))),
});

const UNCERTAIN = "Whether the run began is not known, so do not begin it again: its person can look on the code agent's own page.";

/** Has the code agent begin a run on its person's repositories; the room follows it to its end. */
export const codegenCreateAgentRun: Tool<typeof NewRunInput> = {
  id: "codegenCreateAgentRun",
  description:
    "Has the code agent work on the user's repositories: it can read code, change it and open pull requests. The user sees, edits and approves it first. It answers at once with the run's number and link; what came of it comes into this chat by itself, so do not wait or ask again.",
  input: NewRunInput,
  dollars: 0,
  actsOutside: true,
  readsOutside: true,
  isForAccounts: true,
  async run(input, { env, chatId, callId, replyId, reader, runs }) {
    const [{ createAgentRun }, { askCodegen }] = await Promise.all([load.client(), load.access()]);
    const metadata = { chat_id: chatId, tool_call_id: callId };
    let orgId = "";
    const begun = await runs.start(
      { callId, replyId, reader },
      { kind: "code", number: null, maxMinutes: null, holdDollars: 0 },
      async () => {
        const made = await askCodegen({ env, reader }, (access) => {
          orgId = access.orgId;
          // A stop of the turn comes too late for it: what the service has taken must be known here.
          return createAgentRun(env, access, { ...input, metadata }, new AbortController().signal);
        });
        if (!made.ok) return { ok: false, error: made.message, isUncertain: made.isUncertain };
        const { id, status = null, web_url: link = null } = made.value;
        return { ok: true, ref: `${orgId}/${id}`, status: status ?? null, link: link ?? null };
      },
    );
    if (!begun.ok) return { ok: false, error: begun.isUncertain ? `${begun.error} ${UNCERTAIN}` : begun.error };
    const { ref, status, link } = begun;
    const answer = { result: "The run has begun.", agent_run_id: Number(ref.split("/")[1]), status, web_url: link };
    return { ok: true, output: JSON.stringify(answer) };
  },
};

const RunInput = z.object({ agent_run_id: z.int().check(z.describe("The run's number.")) });

export const codegenGetAgentRun: Tool<typeof RunInput> = {
  id: "codegenGetAgentRun",
  description: "Tells how a run of the code agent stands, with its result and pull requests once it has any.",
  input: RunInput,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  async run({ agent_run_id: id }, { env, reader, signal }) {
    const [{ readAgentRun }, { askCodegenForTool }] = await Promise.all([load.client(), load.access()]);
    return askCodegenForTool({ env, reader }, (access) => readAgentRun(env, access, id, signal));
  },
};

const NoInput = z.object({});

export const codegenGetOrganizations: Tool<typeof NoInput> = {
  id: "codegenGetOrganizations",
  description: "Lists the code agent's organizations that the user is in.",
  input: NoInput,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  async run(_input, { env, reader, signal }) {
    const [{ listOrganizations }, { askCodegenForTool }] = await Promise.all([load.client(), load.access()]);
    return askCodegenForTool({ env, reader }, (access) => listOrganizations(env, access, signal));
  },
};

const PeopleInput = z.object({
  skip: z.optional(z.int().check(z.minimum(0), z.describe("How many to leave out from the beginning."))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(PEOPLE_MAX), z.describe(`How many, ${PEOPLE_MAX} unless given.`))),
});

/** Lists the people of the connected organization. */
export const codegenGetUsers: Tool<typeof PeopleInput> = {
  id: "codegenGetUsers",
  description: "Lists the people of the code agent's connected organization.",
  input: PeopleInput,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  async run({ skip = 0, limit = PEOPLE_MAX }, { env, reader, signal }) {
    const [{ listPeople }, { askCodegenForTool }] = await Promise.all([load.client(), load.access()]);
    return askCodegenForTool({ env, reader }, (access) => listPeople(env, access, { skip, limit }, signal));
  },
};

const PersonInput = z.object({ user_id: z.int().check(z.describe("The person's number.")) });

/** Describes one of the connected organization's people. */
export const codegenGetUser: Tool<typeof PersonInput> = {
  id: "codegenGetUser",
  description: "Tells of one of the people of the code agent's connected organization.",
  input: PersonInput,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  async run({ user_id: userId }, { env, reader, signal }) {
    const [{ readPerson }, { askCodegenForTool }] = await Promise.all([load.client(), load.access()]);
    return askCodegenForTool({ env, reader }, (access) => readPerson(env, access, userId, signal));
  },
};
