import { listPrompts } from "#shared/contracts/library/prompts.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { User } from "#shared/entities/user.ts";
import { pick } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { NEW_CHAT, flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { knowledgeQuery } from "#web/features/library/knowledge/use-knowledge.ts";
import { withAutopilot } from "#web/features/conversation/models/autopilot-model.ts";
import { modelsQuery } from "#web/features/conversation/models/use-models.ts";
import { choosePrompt } from "#web/features/conversation/composer/prompt-use-store.ts";
import { personasQuery } from "#web/features/library/personas/use-personas.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import type { Deeplink } from "./deeplink.ts";
import { type Known, listed, type Plan, planDeeplink } from "./plan-deeplink.ts";

/** Puts a link's text into the new chat's composer; once it was filled in there, what the person has made of it stays. */
export function fillComposer(text: string, { isFilledIn }: { isFilledIn: boolean }): void {
  const draft = readDraft(NEW_CHAT);
  // Signing in may end on another device, which has nothing of it.
  if (draft.trim() === text.trim() || (isFilledIn && draft.trim() !== "")) return;
  replaceDraft(text);
}

/** What was typed before comes back with one press. */
function replaceDraft(text: string): void {
  const before = readDraft(NEW_CHAT);
  writeDraft(NEW_CHAT, text);
  flushDrafts();
  if (before.trim() === "") return;
  toast({
    title: "The link's text took your draft's place",
    action: { label: "Bring it back", onClick: () => writeDraft(NEW_CHAT, before) },
    duration: null,
  });
}

type Following = { user: User | null; onSignIn: () => void };

/** Sets the new chat up as a link says, and names in one notice what of it was left out. Nothing is sent. */
export async function followDeeplink(link: Deeplink, { user, onSignIn }: Following): Promise<void> {
  let plan: Plan;
  try {
    plan = planDeeplink(link, await lookUp(link, user));
  } catch (cause) {
    const again = { label: "Try again", onClick: () => void followDeeplink(link, { user, onSignIn }) };
    toast({ title: "This link could not be followed", description: reasonOf(cause), tone: "danger", action: again, duration: null });
    return;
  }
  const { settings, named, template, skipped, needsAccount } = plan;
  if (Object.keys(settings).length > 0) pick(null, settings);
  if (template !== null) putTemplate(template, { isFollowed: link.prompt !== null, named });
  notify(skipped, needsAccount, onSignIn);
}

async function lookUp(link: Deeplink, user: User | null): Promise<Known> {
  const hasAccount = user !== null && !user.anonymous;
  const [{ models }, personas, templates, knowledge] = await Promise.all([
    link.model === null ? { models: [] } : queryClient.ensureQueryData(modelsQuery),
    // Read again: what a link names may have been made a moment ago, on another device.
    hasAccount && link.persona !== null ? queryClient.fetchQuery({ ...personasQuery, staleTime: 0 }) : null,
    hasAccount && link.template !== null
      ? queryClient.fetchQuery({ queryKey: keys.prompts, queryFn: ({ signal }) => call(listPrompts, {}, { signal }) })
      : null,
    hasAccount && link.knowledge.length > 0 ? queryClient.fetchQuery({ ...knowledgeQuery, staleTime: 0 }) : null,
  ]);
  return {
    user,
    models: withAutopilot(models),
    personaIds: personas?.personas.map(({ id }) => id) ?? [],
    templateIds: templates?.prompts.map(({ id }) => id) ?? [],
    knowledgeIds: knowledge?.contexts.map(({ id }) => id) ?? [],
  };
}

/** The template goes into the composer once it has what it asks for, and the link's own text, which stands there already, follows it. */
function putTemplate(id: string, { isFollowed, named }: { isFollowed: boolean; named: ChatSettingsChange }): void {
  if (!isFollowed) replaceDraft("");
  choosePrompt(NEW_CHAT, id, { over: named, isFollowed });
}

function notify(skipped: readonly string[], needsAccount: readonly string[], onSignIn: () => void): void {
  if (skipped.length === 0 && needsAccount.length === 0) return;
  const sentences = [
    ...(needsAccount.length > 0 ? [`With an account it also sets ${listed(needsAccount)}.`] : []),
    ...(skipped.length > 0 ? [`This does not apply: ${listed(skipped)}.`] : []),
  ];
  toast({
    title: needsAccount.length > 0 ? "Sign in to use all of this link" : "Parts of this link were left out",
    description: sentences.join(" "),
    tone: "warning",
    duration: null,
    ...(needsAccount.length > 0 && { action: { label: "Sign in", onClick: onSignIn } }),
  });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "";
}
