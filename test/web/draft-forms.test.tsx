import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { knowledgeDrafts } from "#web/features/library/knowledge/knowledge-draft.ts";
import { useCreateKnowledge } from "#web/features/library/knowledge/use-change-knowledge.ts";
import { draftOf as personaDraft, personaDrafts } from "#web/features/library/personas/persona-draft.ts";
import { useCreatePersona, useUpdatePersona } from "#web/features/library/personas/use-change-personas.ts";
import { draftOf as promptDraft, promptDrafts } from "#web/features/library/prompts/prompt-draft.ts";
import { useCreatePrompt } from "#web/features/library/prompts/use-change-prompts.ts";
import { bodyOf, connectionDrafts, draftOf as connectionDraft } from "#web/features/integrations/mcp/connection-draft.ts";
import { useSaveConnection } from "#web/features/integrations/mcp/use-connections.ts";
import { forgetImported, importDrafts } from "#web/features/library/memory/import-draft.ts";
import { NEW_TEAM_DRAFT, teamDrafts } from "#web/features/people/teams/team-draft.ts";
import { useCreateTeam, useUpdateTeam } from "#web/features/people/teams/use-teams.ts";
import { queryClient } from "#web/lib/query.ts";

/** The form that this change is made in, which is closed before it is answered: nothing of it is drawn any more. */
function closedForm<T>(useChange: () => T): T {
  const found: T[] = [];
  function Form() {
    found.push(useChange());
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  const [change] = found;
  if (!change) throw new Error("Nothing was drawn");
  return change;
}

function answerWith(body: unknown): void {
  vi.stubGlobal("fetch", async () => Response.json(body));
}

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

describe("a draft is forgotten by what saves it, though its form be closed", () => {
  const persona = { ...personaDraft(null), name: "Pirate", content: "Speak like one." };

  it("the draft of a new persona is forgotten once it is saved, though its form was closed", async () => {
    personaDrafts.set("new me", { draft: persona, base: personaDraft(null) });
    answerWith({ persona: { id: "1", name: "Pirate" } });
    await closedForm(() => useCreatePersona("new me")).mutateAsync(persona);
    expect(personaDrafts.get("new me")).toBeNull();
  });

  it("the draft of a new prompt is forgotten once it is saved, though its form was closed", async () => {
    const draft = { ...promptDraft(null), name: "Tea", content: "Which tea?" };
    promptDrafts.set("new me", { draft, base: promptDraft(null) });
    answerWith({ prompt: { id: "1", name: "Tea", content: "Which tea?" } });
    await closedForm(() => useCreatePrompt("new me")).mutateAsync({ id: "1", draft });
    expect(promptDrafts.get("new me")).toBeNull();
  });

  it("the draft of new knowledge is forgotten once it is saved, though its form was closed", async () => {
    const draft = { name: "Tea", text: "Green.", teamId: null };
    knowledgeDrafts.set("new me", { draft, base: { name: "", text: "", teamId: null } });
    answerWith({ context: { id: "1", name: "Tea" } });
    await closedForm(() => useCreateKnowledge("new me")).mutateAsync({ id: "1", draft });
    expect(knowledgeDrafts.get("new me")).toBeNull();
  });

  it("the draft of a new team, and of a changed one, is forgotten once it is saved, though its form was closed", async () => {
    const [base, draft] = [NEW_TEAM_DRAFT, { name: "Crew", description: "Ours." }];
    for (const form of ["new me", "1"]) teamDrafts.set(form, { draft, base });
    answerWith({ team: { id: "1", name: "Crew" } });
    await closedForm(() => useCreateTeam("new me")).mutateAsync(draft);
    expect(teamDrafts.get("new me")).toBeNull();
    await closedForm(() => useUpdateTeam("1")).mutateAsync({ members_restricted: true });
    expect(teamDrafts.get("1")).not.toBeNull();
    await closedForm(() => useUpdateTeam("1", "1")).mutateAsync(draft);
    expect(teamDrafts.get("1")).toBeNull();
  });

  it("the draft of a new connection, whose secrets are not stored, is forgotten once it is saved, though its form was closed", async () => {
    const open = { ...connectionDraft(null), name: "Docs", url: "https://docs.example/mcp" };
    expect(Object.keys(connectionDraft(null))).not.toContain("token");
    connectionDrafts.set("new me", { draft: open, base: connectionDraft(null) });
    answerWith({ connection: { id: "1", name: "Docs" } });
    await closedForm(() => useSaveConnection(null, "new me")).mutateAsync(bodyOf({ ...open, token: "", headers: "", clientSecret: "" }));
    expect(connectionDrafts.get("new me")).toBeNull();
  });

  it("the draft of imported memories is forgotten once they are saved, unless others were pasted since", () => {
    importDrafts.set("me", "Likes tea");
    forgetImported("me", "Likes coffee");
    expect(importDrafts.get("me")).toBe("Likes tea");
    forgetImported("me", "Likes tea");
    expect(importDrafts.get("me")).toBe("");
  });

  it("a draft stays where it was not saved, or more was typed since", async () => {
    const edited = { draft: persona, base: personaDraft(null) };
    personaDrafts.set("1", edited);
    vi.stubGlobal("fetch", async () => Response.json({ error: "Not today.", code: "FORBIDDEN" }, { status: 403 }));
    await closedForm(() => useUpdatePersona("1"))
      .mutateAsync({ id: "1", name: "Pirate" })
      .catch(() => undefined);
    expect(personaDrafts.get("1")).toBe(edited);
    const more = { ...edited, draft: { ...persona, content: "Speak like two." } };
    vi.stubGlobal("fetch", async () => {
      personaDrafts.set("1", more);
      return Response.json({ persona: { id: "1", name: "Pirate" } });
    });
    await closedForm(() => useUpdatePersona("1")).mutateAsync({ id: "1", name: "Pirate" });
    expect(personaDrafts.get("1")).toBe(more);
  });
});
