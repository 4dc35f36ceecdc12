import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Persona } from "#shared/entities/persona.ts";
import { PersonaForm } from "#web/features/library/personas/persona-form.tsx";
import { useCreatePersona } from "#web/features/library/personas/use-change-personas.ts";
import { followPersonas, personasQuery } from "#web/features/library/personas/use-personas.ts";
import { draftOf } from "#web/features/library/prompts/prompt-draft.ts";
import { useCreatePrompt } from "#web/features/library/prompts/use-change-prompts.ts";
import { followPrompts } from "#web/features/library/prompts/use-prompts.ts";
import type { KeyedStore } from "#web/lib/keyed-store.ts";
import { emitLive, forgetCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const here = vi.hoisted(() => {
  // Files share their modules: those loaded before know nothing of the mocks, and later ones are to know none.
  vi.resetModules();
  return { status: "user", user: { id: "", anonymous: false }, features: { shareLinks: true } };
});
afterAll(() => void vi.resetModules());
vi.mock("#web/features/people/session/use-session.ts", async (load) => ({
  ...(await load<typeof import("#web/features/people/session/use-session.ts")>()),
  useSession: () => here,
}));
// Drawn on no page, a form is read once.
vi.mock("#web/lib/keyed-store.ts", async (load) => ({
  ...(await load<typeof import("#web/lib/keyed-store.ts")>()),
  useKeyed: <T,>(store: KeyedStore<T>, key: string) => store.get(key),
}));

type Asked = { path: string; method: string | undefined; body: unknown };

let asked: Asked[] = [];
let answer: () => Response = () => Response.json({});

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    asked.push({ path, method, body: typeof body === "string" ? JSON.parse(body) : null });
    return answer();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

/** What a hook answers outside of a page. */
function take<T>(useIt: () => T): T {
  const taken: T[] = [];
  function Probe() {
    taken.push(useIt());
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Probe />
    </QueryClientProvider>,
  );
  const [first] = taken;
  if (first === undefined) throw new Error("The hook was not called.");
  return first;
}

it("what is made for a team that refuses it is asked for once, and the same again by the same id", async () => {
  answer = () => Response.json({ error: "This team was not found.", code: "TEAM_NOT_FOUND" }, { status: 404 });
  const persona = { id: "p", name: "Clerk", content: "Hello.", teamId: "t" };
  const draft = { ...draftOf(null), name: "Clerk", content: "Hello.", teamId: "t" };
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(take(useCreatePersona).mutateAsync(persona)).rejects.toThrow("This team was not found.");
    await expect(take(useCreatePrompt).mutateAsync({ id: "q", draft })).rejects.toThrow("This team was not found.");
  }
  const body = { name: "Clerk", content: "Hello.", team_id: "t" };
  const [aPersona, aPrompt] = [
    { path: "/api/user-system-prompts", method: "POST", body: { ...body, id: "p" } },
    { path: "/api/template-messages", method: "POST", body: { ...body, id: "q" } },
  ];
  expect(asked).toMatchObject([aPersona, aPrompt, aPersona, aPrompt]);
});

it("personas are read again after a while: no event reports what a team's other members changed", async () => {
  const listed = { personas: [], default_persona_id: "me" };
  answer = () => Response.json({ ...listed, default_persona_id: "other" });
  queryClient.setQueryData(keys.personas, listed, { updatedAt: Date.now() - 29_000 });
  expect(await queryClient.fetchQuery(personasQuery)).toEqual(listed);
  queryClient.setQueryData(keys.personas, listed, { updatedAt: Date.now() - 31_000 });
  expect(await queryClient.fetchQuery(personasQuery)).toMatchObject({ default_persona_id: "other" });
});

it("who comes into a team or leaves it has its personas and prompts at once, or no longer", () => {
  const stops = [followPersonas(), followPrompts()];
  for (const key of [keys.personas, keys.prompts]) queryClient.setQueryData(key, {});
  const areStale = () => [keys.personas, keys.prompts].map((key) => queryClient.getQueryState(key)?.isInvalidated);
  emitLive({ type: "user.changed", cursor: "1" });
  expect(areStale()).toEqual([false, false]);
  emitLive({ type: "teams.changed", cursor: "2" });
  expect(areStale()).toEqual([true, true]);
  for (const stop of stops) stop();
  forgetCursor();
});

describe("a team's persona", () => {
  const persona: Persona = {
    id: "p",
    name: "Clerk",
    content: "Answer like a clerk.",
    personalization: null,
    is_personalized: false,
    is_default: false,
    team_id: "crew",
    user_id: "maker",
    version: 2,
    created_at: "2026-11-20T09:00:00.000Z",
    updated_at: "2026-11-20T09:00:00.000Z",
  };

  function formFor(userId: string, contentAdminOnly: boolean, role: "admin" | "member" = "member"): string {
    const crew = { id: "crew", name: "Crew", user_role: role, content_admin_only: contentAdminOnly };
    here.user.id = userId;
    queryClient.setQueryData(keys.ownTeams, { teams: [crew] });
    const nothing = () => undefined;
    return renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <PersonaForm persona={persona} onDone={nothing} onVersions={nothing} />
      </QueryClientProvider>,
    );
  }

  it("a team's persona can be read whole by its members, who learn that its creator changes it", () => {
    const form = formFor("member", false);
    expect(form).toContain("Answer like a clerk.");
    expect(form).toContain("Only its creator can change it.");
    expect(form.match(/readonly/gi)).toHaveLength(2);
    for (const label of ["Save", "Share", "Versions"]) expect(form).not.toContain(label);
  });

  it("a team's persona is its creator's to change, unless the team leaves that to its admins, as they learn", () => {
    expect(formFor("maker", false)).toContain("Save");
    const closed = formFor("maker", true);
    expect(closed).toContain("Only admins of its team can change it.");
    expect(closed).not.toContain("Save");
    expect(formFor("member", true)).toContain("Only admins of its team can change it.");
  });

  it("a team's persona is there for an admin to change, save what it said before it was the team's", () => {
    const form = formFor("admin", true, "admin");
    expect(form).toContain("Save");
    expect(form).not.toContain("Versions");
    expect(formFor("maker", true, "admin")).toContain("Versions");
  });
});
