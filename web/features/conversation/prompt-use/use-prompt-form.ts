import { useDeferredValue, useMemo, useState, useEffect } from "react";
import * as z from "zod/mini";
import type { Prompt } from "#shared/entities/prompt.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { parsePrompt } from "#shared/library/prompt-template.ts";
import { stored } from "#web/lib/storage.ts";
import { type UsePlace, builtInsAt } from "./begin-use.ts";
import { fieldsOf, fillSteps, firstValues, stepTexts, withTail, withValues } from "./form-values.ts";

type Values = Record<string, string>;

/** What was typed into the form of a prompt and neither sent nor inserted, for when it is opened again on this page. */
const unfinished = new Map<string, Values>();

/** The form of a prompt: its fields with their values, the steps as they are sent, and what was filled in the time before. */
export function usePromptForm(at: UsePlace, prompt: Prompt, tail: string) {
  const { user } = at;
  const [builtIns] = useState(() => builtInsAt(at));
  const steps = useMemo(() => parsePrompt(prompt.content), [prompt.content]);
  const fields = useMemo(() => fieldsOf(steps, builtIns), [steps, builtIns]);
  const [typed, setTyped] = useState<Values>(() => firstValues(fields, unfinished.get(prompt.id) ?? {}));
  const clipboard = useClipboardText(fields.some(({ key }) => key === "CLIPBOARD"));
  // What was pasted or typed there stands; until then what the browser gave.
  const values = useMemo(
    () => (clipboard.kind === "read" && !typed["CLIPBOARD"] ? { ...typed, CLIPBOARD: clipboard.text } : typed),
    [clipboard, typed],
  );
  const shown = useDeferredValue(values);
  const preview = useMemo(() => withTail(fillSteps(steps, shown, builtIns), tail), [steps, shown, builtIns, tail]);
  const last = user === null ? {} : lastValues(user.id, prompt.id);
  const withLast = withValues(fields, values, last);
  return {
    fields,
    values,
    preview,
    stepCount: steps.length,
    isBlank: preview.every((parts) => parts.every(({ text }) => text.trim() === "")),
    isTooLong: preview.some((parts) => parts.reduce((length, { text }) => length + text.length, 0) > MESSAGE_LENGTH),
    /** Fills in what was used the last time; null where that says nothing else. */
    useLast: fields.some(({ key }) => withLast[key] !== values[key]) ? () => setTyped(withLast) : null,
    change: (key: string, value: string) => {
      const next = { ...values, [key]: value };
      unfinished.set(prompt.id, next);
      setTyped(next);
    },
    noteOf: (key: string): string | null => {
      if (key === "CLIPBOARD") return values["CLIPBOARD"] ? null : clipboardNote(clipboard);
      return key === "SELECTION" ? "Select text in an answer and use it in a prompt, or paste it here." : null;
    },
    /** The steps as they are sent: the very text of the preview. */
    finish: (): string[] => {
      unfinished.delete(prompt.id);
      const variables = fields.flatMap((field) => ("variable" in field ? [[field.key, values[field.key] ?? ""] as const] : []));
      if (user !== null) storeLastValues(user.id, prompt.id, Object.fromEntries(variables));
      return stepTexts(withTail(fillSteps(steps, values, builtIns), tail));
    },
  };
}

/** How asking for the clipboard went; `unasked` where nothing needs it. */
type ClipboardState = { kind: "unasked" } | { kind: "asking" } | { kind: "read"; text: string } | { kind: "refused" };

/** Reads the clipboard's text where it is wanted: the browser may ask the person, or refuse. */
function useClipboardText(isWanted: boolean): ClipboardState {
  const [state, setState] = useState<ClipboardState>(isWanted ? { kind: "asking" } : { kind: "unasked" });
  useEffect(() => {
    if (!isWanted) return undefined;
    let isUnmounted = false;
    const notify = (next: ClipboardState) => !isUnmounted && setState(next);
    readClipboard().then(
      (text) => notify({ kind: "read", text }),
      () => notify({ kind: "refused" }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [isWanted]);
  return state;
}

async function readClipboard(): Promise<string> {
  return (await navigator.clipboard.readText()).replaceAll("\r\n", "\n");
}

/** What to say below the clipboard's field; null where its value says it. */
function clipboardNote(state: ClipboardState): string | null {
  switch (state.kind) {
    case "asking":
      return "The browser asks whether this page may read the clipboard.";
    case "refused":
      return "The browser does not let this page read the clipboard. Paste it here instead.";
    case "read":
      return state.text === "" ? "The clipboard holds no text." : null;
    case "unasked":
      return null;
  }
}

/** Prompts whose values a browser keeps for an account, and how long a value is kept, in characters. */
const STORED_PROMPTS_MAX = 50;
const VALUE_LENGTH = 2_000;

type Entry = { id: string; values: Values };

const entries = z.array(z.looseObject({ id: z.string(), values: z.record(z.string(), z.string()) }));

function store(accountId: string) {
  return stored<Entry[]>(`prompt-values:${accountId}`, entries, []);
}

/** What an account filled in last for a prompt in this browser; nothing where it never did. */
export function lastValues(accountId: string, promptId: string): Values {
  const found = store(accountId)
    .read()
    .find(({ id }) => id === promptId);
  return found?.values ?? {};
}

/** Keeps what was filled in; long texts are the moment's and are not kept. */
export function storeLastValues(accountId: string, promptId: string, values: Values): void {
  const short = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value.length <= VALUE_LENGTH));
  const others = store(accountId)
    .read()
    .filter(({ id }) => id !== promptId);
  const remaining = Object.keys(short).length === 0 ? others : [{ id: promptId, values: short }, ...others];
  if (remaining.length === 0) store(accountId).remove();
  else store(accountId).write(remaining.slice(0, STORED_PROMPTS_MAX));
}
