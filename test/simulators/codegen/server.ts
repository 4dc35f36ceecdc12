import type { ServerResponse } from "node:http";
import * as z from "zod";
import { type Exchange, type Handler, sendJson, startServer, type Simulator } from "../simulator.ts";
import { defineService } from "../definition.ts";

/** `runMs` is how long a run takes; 0 is done when it is first asked for. */
export type CodegenOptions = { port?: number; runMs?: number };

const NewRun = z.strictObject({
  prompt: z.string().min(1),
  images: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  repo_id: z.int().nullish(),
  model: z.string().nullish(),
  agent_type: z.enum(["codegen", "claude_code"]).nullish(),
});

/** A run's prompt says how it goes: `sim fail`, and `sim hold` until `POST /control/finish`. */
type Run = { id: number; organizationId: number; prompt: string; metadata: unknown; createdAt: number; finishedAt: number | null };

const ORGANIZATIONS = [
  { id: 123, name: "Nordlicht", settings: { enable_pr_creation: true, enable_rules_detection: true } },
  { id: 456, name: "Archive", settings: {} },
];
const PEOPLE = [
  {
    id: 7,
    email: "lena@example.com",
    github_user_id: "71",
    github_username: "lena",
    full_name: "Lena Brandt",
    role: "ADMIN",
    is_admin: true,
  },
  { id: 8, email: "tom@example.com", github_user_id: "81", github_username: "tom", full_name: null, role: "MEMBER", is_admin: false },
];

/** Starts the code agent's stand-in on loopback. A token that begins with `cg-` opens both of its organizations. */
export function startCodegen(options: CodegenOptions = {}): Promise<Simulator> {
  const runMs = options.runMs ?? 6_000;
  const runs = new Map<number, Run>();

  function create({ record, response }: Exchange, organizationId: number): void {
    const parsed = NewRun.safeParse(record.body);
    if (!parsed.success) return invalid(response, parsed.error.issues[0]?.message ?? "invalid");
    const { prompt, metadata } = parsed.data;
    if (prompt.includes("sim limit")) {
      const message = "Alloted agent runs for the current billing plan have been reached. Please upgrade your plan to continue.";
      return refuse(response, 402, message);
    }
    const run = { id: 4567 + runs.size, organizationId, prompt, metadata: metadata ?? null, createdAt: Date.now(), finishedAt: null };
    runs.set(run.id, run);
    sendJson(response, 200, { ...describe(run), status: "ACTIVE", result: null, summary: null, github_pull_requests: null });
  }

  function describe(run: Run) {
    const neverEnds = run.prompt.includes("sim hold") && run.finishedAt === null;
    const isOver = !neverEnds && Date.now() - run.createdAt >= (run.finishedAt === null ? runMs : 0);
    const isFailed = run.prompt.includes("sim fail");
    const isGood = isOver && !isFailed;
    return {
      id: run.id,
      organization_id: run.organizationId,
      status: isOver ? (isFailed ? "FAILED" : "COMPLETE") : "ACTIVE",
      created_at: new Date(run.createdAt).toISOString(),
      web_url: `https://codegen.com/agent/trace/${run.id}`,
      result: isGood ? `I did what was asked: ${run.prompt.split("\n")[0]}. All tests pass.` : null,
      summary: isGood ? "Changed two files and opened a pull request." : null,
      source_type: "API",
      github_pull_requests: isGood
        ? [
            {
              id: 31,
              created_at: new Date().toISOString(),
              title: "Mend the failing test",
              url: "https://github.com/nordlicht/site/pull/31",
            },
          ]
        : null,
      metadata: run.metadata,
    };
  }

  const answer = withToken((exchange) => {
    const { record, response, url } = exchange;
    const path = record.path;
    if (path === "/v1/users/me") return sendJson(response, 200, PEOPLE[0]);
    if (path === "/v1/organizations") return sendJson(response, 200, pageOf(ORGANIZATIONS, url));
    const [, given = "", rest = ""] = /^\/v1\/organizations\/([^/]+)(\/.*)$/.exec(path) ?? [];
    if (!/^\d+$/.test(given)) return invalid(response, "Input should be a valid integer");
    if (!ORGANIZATIONS.some(({ id }) => id === Number(given))) return refuse(response, 403, "You do not have access to this organization.");
    if (rest === "/users") return sendJson(response, 200, pageOf(PEOPLE, url));
    if (rest === "/agent/run" && record.method === "POST") return create(exchange, Number(given));
    const [, kind, id] = /^\/(users|agent\/run)\/(\d+)$/.exec(rest) ?? [];
    const person = kind === "users" ? PEOPLE.find((one) => one.id === Number(id)) : undefined;
    const run = kind === "agent/run" ? runs.get(Number(id)) : undefined;
    if (person) return sendJson(response, 200, person);
    if (run && run.organizationId === Number(given)) return sendJson(response, 200, describe(run));
    return refuse(response, 404, kind === "users" ? "User not found." : "Agent run not found.");
  });

  return startServer({
    name: "codegen",
    port: options.port,
    routes: {},
    fallback: answer,
    control: {
      "POST /control/finish": ({ response }) => {
        for (const run of runs.values()) run.finishedAt ??= Date.now();
        sendJson(response, 200, {});
      },
    },
  });
}

function withToken(handler: Handler): Handler {
  return (exchange) => {
    const isKnown = /^Bearer cg-\S+$/.test(exchange.record.headers["authorization"] ?? "");
    return isKnown ? handler(exchange) : sendJson(exchange.response, 401, { detail: "Invalid token" });
  };
}

function pageOf(items: unknown[], url: URL) {
  const skip = Number(url.searchParams.get("skip") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? 100);
  return { items: items.slice(skip, skip + limit), total: items.length, page: Math.floor(skip / limit) + 1, size: limit, pages: 1 };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { message, status_code: status });
}

function invalid(response: ServerResponse, msg: string): void {
  sendJson(response, 422, { detail: [{ loc: ["path", "org_id"], msg, type: "int_parsing" }] });
}

/** The code agent. */
export const codegen = defineService({
  start: startCodegen,
  vars: (url) => ({ CODEGEN_URL: url }),
  realWith: ["CODEGEN_URL"],
  row: {
    title: "Code agent",
    simulated: () => "a stand-in: organization 123, any token that begins with cg-",
    real: ({ CODEGEN_URL }) => CODEGEN_URL ?? "",
    makeReal: "CODEGEN_URL=https://api.codegen.com",
  },
  inTests: { options: { runMs: 0 } },
});
