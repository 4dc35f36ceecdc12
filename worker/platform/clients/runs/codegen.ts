/** The code agent's API (reference: api.codegen.com, `/v1`). It reports nothing by itself: runs are polled. */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { type Asked, askService } from "./ask-outside.ts";

/** Whose organization, and the token that opens it. */
export type CodegenAccess = { orgId: string; token: string };

/** Pages of organizations that are looked through for one. */
const PAGES = 10;
const PAGE = 100;

const Organization = z.object({ id: z.number(), name: z.string() });
export type Organization = z.infer<typeof Organization>;

const Person = z.object({
  id: z.number(),
  email: z.nullish(z.string()),
  github_username: z.nullish(z.string()),
  full_name: z.nullish(z.string()),
  role: z.nullish(z.string()),
});
export type CodegenPerson = z.infer<typeof Person>;

const AgentRun = z.object({
  id: z.number(),
  status: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
  web_url: z.nullish(z.string()),
  result: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  github_pull_requests: z.nullish(z.array(z.object({ title: z.nullish(z.string()), url: z.nullish(z.string()) }))),
});
export type AgentRun = z.infer<typeof AgentRun>;

const page = <T extends z.ZodMiniType>(item: T) => z.object({ items: z.array(item), total: z.number(), pages: z.number() });

/** Whether the service takes a token for an organization; answers why not in one sentence. */
export async function checkAccess(env: Env, { orgId, token }: CodegenAccess, signal: AbortSignal): Promise<Asked<Organization>> {
  for (let at = 0; at < PAGES; at += 1) {
    const found = await ask(env, token, { path: `/v1/organizations?skip=${at * PAGE}&limit=${PAGE}` }, page(Organization), signal);
    if (!found.ok) return found;
    const organization = found.value.items.find(({ id }) => String(id) === orgId);
    if (organization) return { ok: true, value: organization };
    if (at + 1 >= found.value.pages) break;
  }
  return { ok: false, status: 200, message: "This token is not one of a member of this organization." };
}

export function listOrganizations(env: Env, { token }: CodegenAccess, signal: AbortSignal) {
  return ask(env, token, { path: `/v1/organizations?skip=0&limit=${PAGE}` }, page(Organization), signal);
}

export function listPeople(
  env: Env,
  { orgId, token }: CodegenAccess,
  { skip, limit }: { skip: number; limit: number },
  signal: AbortSignal,
) {
  return ask(env, token, { path: `/v1/organizations/${orgId}/users?skip=${skip}&limit=${limit}` }, page(Person), signal);
}

export function readPerson(env: Env, { orgId, token }: CodegenAccess, userId: number, signal: AbortSignal) {
  return ask(env, token, { path: `/v1/organizations/${orgId}/users/${userId}` }, Person, signal);
}

/** What a new run is to do; `metadata` comes back with it. */
export type NewAgentRun = { prompt: string; repo_id?: number | undefined; model?: string | undefined; metadata: Record<string, string> };

export function createAgentRun(env: Env, { orgId, token }: CodegenAccess, body: NewAgentRun, signal: AbortSignal) {
  return ask(env, token, { path: `/v1/organizations/${orgId}/agent/run`, body }, AgentRun, signal);
}

export function readAgentRun(env: Env, { orgId, token }: CodegenAccess, runId: number, signal: AbortSignal) {
  return ask(env, token, { path: `/v1/organizations/${orgId}/agent/run/${runId}` }, AgentRun, signal);
}

const GOOD = new Set(["complete", "completed"]);
const BAD = new Set(["error", "failed", "cancelled", "timeout", "max_iterations_reached", "out_of_tokens", "stopped"]);

/** How a run stands: the service's words are an open set, in any case. */
export function stateOf({ status }: Pick<AgentRun, "status">): "running" | "done" | "failed" {
  const word = (status ?? "").toLowerCase();
  return GOOD.has(word) ? "done" : BAD.has(word) ? "failed" : "running";
}

type Path = { path: string; body?: unknown };

async function ask<T>(env: Env, token: string, { path, body }: Path, answer: z.ZodMiniType<T>, signal: AbortSignal): Promise<Asked<T>> {
  const { url } = configOf(env).codegen;
  const asked = await askService(
    {
      service: "Codegen",
      url: `${url}${path}`,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { method: "POST" as const, body }),
    },
    answer,
    signal,
  );
  return !asked.ok && asked.status === 401 ? { ...asked, message: "Codegen does not take this token: it is wrong or has expired." } : asked;
}
