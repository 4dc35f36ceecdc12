import { ApiError } from "#web/lib/api.ts";
import { mergeTexts } from "#web/features/library/artifacts/merge-texts.ts";

/** A text as the server has it. */
export type SavedText = { version: number; content: string };

/** Where an open text stands. In a conflict others changed the same lines: both texts are there, and nothing is saved until somebody chose. */
export type SaveState =
  | { kind: "saved" | "unsaved" | "saving" | "offline" }
  | { kind: "failed"; message: string }
  | { kind: "conflict"; theirs: SavedText };

/** The version that a text goes on from; its content is null where it is not known here. */
export type BaseText = { version: number; content: string | null };

export type SavingDeps = {
  base: BaseText;
  /** Whether it opens with what was typed before and not saved. */
  isDraft?: boolean;
  read: () => string;
  /** Shows what others wrote. */
  write: (text: string) => void;
  put: (content: string, baseVersion: number) => Promise<{ version: number; content: string | null }>;
  latest: () => Promise<SavedText>;
  /** Keeps what is not saved yet in this browser, or forgets it. */
  keep: (draft: SavedText | null) => void;
  onState: (state: SaveState) => void;
};

export type Saving = {
  /** Somebody typed. */
  changed: () => void;
  /** Saves now what is not saved. */
  flush: () => Promise<void>;
  /** Writes down what is not saved: the page is about to go. */
  keepNow: () => void;
  /** Others saved. */
  arrived: (latest: SavedText) => void;
  /** Ends a conflict with the text that somebody chose. */
  resolve: (text: string) => Promise<void>;
  base: () => BaseText;
  stop: () => void;
};

/** Milliseconds after the last key until a text is saved, and at most so many while somebody goes on typing. */
const PAUSE_MS = 1_000;
const PATIENCE_MS = 10_000;
/** Milliseconds until a save that did not reach the server is tried again. */
const RETRY_MS = 10_000;

/** Saves a text while it is typed: one save at a time, each from the version before it, and never over what others wrote. */
export function createSaving(deps: SavingDeps): Saving {
  let base: BaseText = deps.base;
  let state: SaveState = { kind: "saved" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  // From the start, as others' text may arrive before anything else does.
  let dirtySince = deps.isDraft ? Date.now() : null;
  let isSaving = false;
  let isStopped = false;

  const enter = (next: SaveState) => {
    if (next.kind === state.kind && next.kind !== "conflict" && next.kind !== "failed") return;
    state = next;
    deps.onState(next);
  };
  const schedule = (delay: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void save(), delay);
  };
  const keepNow = () => {
    if (dirtySince !== null || isSaving) deps.keep({ version: base.version, content: deps.read() });
  };
  const settle = (saved: SavedText) => {
    base = saved;
    if (deps.read() === saved.content) {
      dirtySince = null;
      deps.keep(null);
      enter({ kind: "saved" });
    } else {
      dirtySince ??= Date.now();
      enter({ kind: "unsaved" });
      schedule(PAUSE_MS);
    }
  };

  const save = async (): Promise<void> => {
    clearTimeout(timer);
    if (isSaving || state.kind === "conflict") return;
    const content = deps.read();
    if (content === base.content) {
      settle({ version: base.version, content });
      return;
    }
    isSaving = true;
    dirtySince = null;
    enter({ kind: "saving" });
    try {
      const answer = await deps.put(content, base.version);
      isSaving = false;
      const theirs = { version: answer.version, content: answer.content ?? content };
      if (answer.content !== null) {
        const merged = mergeTexts({ base: content, mine: deps.read(), theirs: theirs.content });
        if (merged === null) return enter({ kind: "conflict", theirs });
        deps.write(merged);
      }
      settle(theirs);
    } catch (error) {
      isSaving = false;
      dirtySince ??= Date.now();
      deps.keep({ version: base.version, content: deps.read() });
      await refused(error);
    }
  };

  const refused = async (error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.code === "ARTIFACT_CONFLICT") {
      try {
        return enter({ kind: "conflict", theirs: await deps.latest() });
      } catch {
        // What the others wrote cannot be read now: the next try finds out.
      }
    } else if (error instanceof ApiError && error.status !== 0 && error.status < 500 && error.status !== 429) {
      return enter({ kind: "failed", message: error.message });
    }
    enter({ kind: "offline" });
    schedule(RETRY_MS);
  };

  return {
    changed() {
      dirtySince ??= Date.now();
      if (state.kind === "conflict") return;
      if (state.kind !== "offline") enter(isSaving ? { kind: "saving" } : { kind: "unsaved" });
      schedule(Math.max(0, Math.min(PAUSE_MS, dirtySince + PATIENCE_MS - Date.now())));
    },
    async flush() {
      if (dirtySince !== null) await save();
    },
    keepNow,
    arrived(latest) {
      if (latest.version <= base.version || isSaving || dirtySince !== null || state.kind === "conflict") return;
      base = latest;
      deps.write(latest.content);
      enter({ kind: "saved" });
    },
    async resolve(text) {
      if (state.kind !== "conflict") return;
      base = state.theirs;
      deps.write(text);
      dirtySince = Date.now();
      enter({ kind: "unsaved" });
      await save();
    },
    base: () => base,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
