import { getPrompt, listPrompts } from "#shared/contracts/prompts.ts";
import type { User } from "#shared/entities/user.ts";
import { pick } from "#web/features/chat-settings/picked-settings.ts";
import { NEW_CHAT, flushDrafts, readDraft, writeDraft } from "#web/features/composer/drafts.ts";
import { withAutopilot } from "#web/features/models/autopilot-model.ts";
import { modelsQuery } from "#web/features/models/use-models.ts";
import { personasQuery } from "#web/features/personas/use-personas.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast.tsx";
import type { Deeplink } from "./deeplink.ts";
import { type Known, listed, type Plan, planDeeplink } from "./plan-deeplink.ts";

/** Puts a link's text into the new chat's composer. What was typed there before comes back with one press. */
export function fillComposer(text: string): void {
  const before = readDraft(NEW_CHAT);
  // It is there already: the link was followed a second time, by signing in.
  if (before.includes(text)) return;
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
    if (plan.template !== null) await fillInTemplate(plan.template, link.prompt !== null);
  } catch (cause) {
    const again = { label: "Try again", onClick: () => void followDeeplink(link, { user, onSignIn }) };
    toast({ title: "This link could not be followed", description: reasonOf(cause), tone: "danger", action: again, duration: null });
    return;
  }
  const { settings, skipped, needsAccount } = plan;
  if (Object.keys(settings).length > 0) pick(null, settings);
  tell(skipped, needsAccount, onSignIn);
}

async function lookUp(link: Deeplink, user: User | null): Promise<Known> {
  const hasAccount = user !== null && !user.anonymous;
  const [{ models }, personas, templates] = await Promise.all([
    link.model === null ? { models: [] } : queryClient.ensureQueryData(modelsQuery),
    // Read anew: what a link names may have been made a moment ago, on another device.
    hasAccount && link.persona !== null ? queryClient.fetchQuery({ ...personasQuery, staleTime: 0 }) : null,
    hasAccount && link.template !== null
      ? queryClient.fetchQuery({ queryKey: keys.prompts, queryFn: ({ signal }) => call(listPrompts, {}, { signal }) })
      : null,
  ]);
  return {
    user,
    models: withAutopilot(models),
    personaIds: personas?.personas.map(({ id }) => id) ?? [],
    templateIds: templates?.prompts.map(({ id }) => id) ?? [],
  };
}

/** The template stands in the composer, and the link's own text, which does already, follows it. */
async function fillInTemplate(id: string, isFollowed: boolean): Promise<void> {
  const { prompt } = await call(getPrompt, { params: { id } });
  if (!isFollowed) return fillComposer(prompt.content);
  writeDraft(NEW_CHAT, `${prompt.content}\n\n${readDraft(NEW_CHAT)}`);
  return flushDrafts();
}

function tell(skipped: readonly string[], needsAccount: readonly string[], onSignIn: () => void): void {
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
