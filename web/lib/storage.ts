import type * as z from "zod/mini";

/** How the page looks, which is nobody's, and what this browser must know from one page to the next though it keeps nothing else. */
const ALWAYS_PERSISTED = new Set(["theme", "leaving", "keeps-nothing"]);

let keepsNothing = read(() => localStorage.getItem("keeps-nothing")) === "true";

/** True where nothing of whoever is here is to stay on this device: it is kept as long as its tab. */
export function isEphemeralBrowser(): boolean {
  return keepsNothing;
}

/** From now on nothing stays on this device, or it does again; what is kept already moves along. */
export function setEphemeral(next: boolean): void {
  if (next === keepsNothing) return;
  const keys = storedKeys("").filter((key) => !ALWAYS_PERSISTED.has(key));
  const [from, to] = next ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  keepsNothing = next;
  if (next) attempt(() => localStorage.setItem("keeps-nothing", "true"));
  else attempt(() => localStorage.removeItem("keeps-nothing"));
  for (const key of keys) {
    const text = read(() => from.getItem(key));
    if (text === null) continue;
    const isCopied = attempt(() => to.setItem(key, text));
    // Where it may stay, what finds no room beside the rest stays with its tab.
    if (next || isCopied) attempt(() => from.removeItem(key));
  }
}

/** Set from when somebody signs out until the server knows it. */
const LEAVING = "leaving";
/** Whoever left did so before this page began, which is nobody's of theirs. */
const beganAfter = isMarked();
let isOver = false;

function isMarked(): boolean {
  return read(() => localStorage.getItem(LEAVING)) === "true";
}

/** Whoever is here leaves: whatever this page does on its way out, nothing more of theirs is kept. */
export function stopPersisting(): void {
  isOver = true;
}

/** Somebody has come since, whose things are kept again. */
export function resumePersisting(): void {
  if (!isMarked()) isOver = false;
}

/** True once whoever was here has left, in this tab or in another one. */
export function hasStoppedPersisting(): boolean {
  if (!beganAfter && isMarked()) isOver = true;
  return isOver;
}

if (typeof addEventListener === "function") {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== LEAVING || newValue !== "true") return;
    isOver = true;
    // The tab that they left by cannot reach what this one keeps to itself.
    if (keepsNothing) forgetStored();
  });
}

function placeOf(key: string): Storage {
  return keepsNothing && !ALWAYS_PERSISTED.has(key) ? sessionStorage : localStorage;
}

/** A value kept in this browser, checked when read: what another version or hand wrote is dropped, and a full or forbidden store is no error. */
export function stored<T>(key: string, schema: z.ZodMiniType<T>, fallback: T) {
  return {
    read(): T {
      try {
        const text = placeOf(key).getItem(key);
        if (text === null) return fallback;
        const parsed = schema.safeParse(JSON.parse(text));
        return parsed.success ? parsed.data : fallback;
      } catch {
        return fallback;
      }
    },
    /** False where it was not kept: in private windows, on full disks and of whoever has left, the value lives on in memory only. */
    write(value: T): boolean {
      if (!ALWAYS_PERSISTED.has(key) && hasStoppedPersisting()) return false;
      return attempt(() => placeOf(key).setItem(key, JSON.stringify(value)));
    },
    remove(): void {
      attempt(() => placeOf(key).removeItem(key));
    },
  };
}

/** The keys that begin so, of what this browser keeps. */
export function storedKeys(prefix: string): string[] {
  return read(() => Object.keys(placeOf(prefix)).filter((key) => key.startsWith(prefix) && key !== TAB)) ?? [];
}

/** Forgets all that this browser keeps except how the page looks: nobody is left who owns it. */
export function forgetStored(): void {
  for (const key of storedKeys("")) if (key !== "theme" && key !== "leaving") attempt(() => placeOf(key).removeItem(key));
  attempt(() => localStorage.removeItem("keeps-nothing"));
  keepsNothing = false;
}

const TAB = "tab";

/** A name of this tab, which it keeps when it is loaded again. */
export function tabName(): string {
  const fresh = crypto.randomUUID();
  return (
    read(() => {
      const name = sessionStorage.getItem(TAB) ?? fresh;
      sessionStorage.setItem(TAB, name);
      return name;
    }) ?? fresh
  );
}

/** Null where the browser keeps nothing. */
function read<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** False where the browser keeps nothing, or has no room. */
function attempt(work: () => void): boolean {
  return (
    read(() => {
      work();
      return true;
    }) ?? false
  );
}
