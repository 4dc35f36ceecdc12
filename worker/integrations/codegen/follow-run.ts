import { accessOf, noteTrouble } from "./connection.ts";
import { type AgentRun, readAgentRun, stateOf } from "#worker/platform/clients/runs/codegen.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import type { Follower } from "#worker/conversation/tools/outside/follower.ts";
import type { StoredRun } from "#worker/conversation/tools/outside/follower.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SUMMARY_LENGTH = 2_000;
const RESULT_LENGTH = 40_000;

/** A run of the code agent: its service reports nothing by itself, so it is asked, less often the longer it takes. */
export const followRun: Follower = {
  category: "codegen",
  pace: (elapsed) => (elapsed < MINUTE ? 5 * SECOND : elapsed < 15 * MINUTE ? 20 * SECOND : 2 * MINUTE),
  patience: () => 24 * 60 * MINUTE,
  async look(env, run) {
    const [orgId = "", id = ""] = (run.ref ?? "").split("/");
    const access = await accessOf(env, run.userId);
    if (!access)
      return { change: { state: "failed", note: "The code agent was disconnected, so this is not followed any more." }, ended: lost(run) };
    const read = await readAgentRun(env, { ...access, orgId }, Number(id), AbortSignal.timeout(20 * SECOND));
    if (!read.ok) {
      if (read.status === 401) await noteTrouble(env, run.userId, read.message);
      // Everything else passes by itself.
      const isLost = read.status === 401 || read.status === 403 || read.status === 404;
      return isLost ? { change: { state: "failed", note: read.message }, ended: lost(run) } : null;
    }
    const state = stateOf(read.value);
    const change = { state, status: read.value.status ?? null, links: linksOf(read.value), summary: summaryOf(read.value) };
    return { change, ended: state === "running" ? null : { output: outputOf(read.value, change.links), dollars: null } };
  },
  ready: async () => ({ kind: "refused", error: "The code agent begins at once or not at all." }),
  priceOf: () => 0,
  stop: async () => "The code agent can only be stopped on its own page.",
  message: ({ ref, status, links, note }) => {
    const [, id] = (ref ?? "").split("/");
    const ended = note ?? `It has ended: ${(status ?? "unknown").toLowerCase().replaceAll("_", " ")}.`;
    return [
      `The code agent's run${id === undefined ? "" : ` ${id}`} is over. ${ended} Tell me what came of it.`,
      ...links.map(({ url }) => url),
    ].join("\n\n");
  },
};

function lost({ ref }: StoredRun) {
  return {
    output: `Run ${(ref ?? "").split("/")[1]} could not be followed to its end. What came of it is on its own page.`,
    dollars: null,
  };
}

/** The run's own page and its pull requests; addresses of another kind are none that anybody is sent to. */
function linksOf({ web_url: page, github_pull_requests: requests }: AgentRun): { title: string; url: string }[] {
  const found = [
    ...(page ? [{ title: "The run", url: page }] : []),
    ...(requests ?? []).flatMap(({ title, url }) => (url ? [{ title: title?.trim() || "Pull request", url }] : [])),
  ];
  return found.filter(({ url }) => URL.canParse(url) && new URL(url).protocol === "https:").slice(0, 10);
}

function summaryOf({ summary, result }: AgentRun): string | null {
  return (summary || result)?.trim().slice(0, SUMMARY_LENGTH) || null;
}

function outputOf({ id, status, summary, result }: AgentRun, links: readonly { title: string; url: string }[]): string {
  const parts = [
    ...(summary ? [`Summary:\n${summary}`] : []),
    ...(result ? [`Result:\n${result.slice(0, RESULT_LENGTH)}`] : []),
    ...links.map(({ title, url }) => `- ${title}: ${url}`),
  ];
  return `Run ${id} has ended (${status}).\n${quoteUntrusted(parts.join("\n\n") || "It left no result.")}`;
}
