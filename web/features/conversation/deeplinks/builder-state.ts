import { type Deeplink, DEEPLINK_LENGTH, deeplinkPath } from "./deeplink.ts";

/** What is filled in in the builder; an empty id is none. */
export type BuilderState = {
  tab: "prompt" | "template";
  prompt: string;
  template: string;
  model: string | null;
  persona: string;
  knowledge: readonly string[];
  autoSettings: boolean;
};

/** The link that the builder stands at: the tab that is not shown does not count. */
export function linkOf({ tab, prompt, template, model, persona, knowledge, autoSettings }: BuilderState): Deeplink {
  return {
    prompt: tab === "prompt" && prompt.trim() !== "" ? prompt : null,
    template: tab === "template" ? template || null : null,
    model,
    persona: persona || null,
    knowledge,
    autoSettings,
  };
}

/** Whether a link is longer than addresses may be everywhere. */
export function isTooLong(link: Deeplink, origin: string): boolean {
  return origin.length + deeplinkPath(link).length > DEEPLINK_LENGTH;
}

/** What the switch does, as things stand. */
export function openChoices({ model, autoSettings }: BuilderState): string {
  if (model !== null) return "Autopilot picks what the link leaves open. This link names a model, which is taken.";
  return `Autopilot picks what the link leaves open: here the model and the tools.${autoSettings ? "" : " Off, the new chat starts as usual."}`;
}
