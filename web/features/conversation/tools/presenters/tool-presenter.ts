import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";

/** What a call's row says: while it runs, when it is done, after 'Wants to' and 'Could not', and what it is about. */
export type ToolPhrases = { doing: string; done: string; infinitive: string; about: string | null };

/** A waiting call in short; `lead` begins its words. */
export type ToolBrief = { about: string | null; lead: string | null; text: string };

/** How one tool is shown: in rows, on cards and in the settings. */
export type ToolPresenter = {
  /** For people, as what it can do: 'Search the web'. */
  name: string;
  icon: LucideIcon;
  phrases: (call: ToolCall) => ToolPhrases;
  /** What fields of its input are called on its card, where their own names say it in more words. */
  labels?: Readonly<Record<string, string>>;
  /** What a waiting call comes to, where it stands in a list: whom or what it is about, and its words; all else is behind a press. */
  brief?: (input: unknown) => ToolBrief;
  /** What came of a call, in figures: '5 results'. */
  figures: (call: ToolCall) => string[];
  /** What a call was given, behind a press; nothing where that is no news. */
  Input: ComponentType<{ call: ToolCall }>;
  /** What the model got, behind a press. */
  Result: ComponentType<{ call: ToolCall }>;
};
