import type { Shape } from "./shape.ts";

/** A value kept in this browser, checked when read: what another version or hand wrote is dropped, and a full or forbidden store is no error. */
export function stored<T>(key: string, shape: Shape<T>, fallback: T) {
  return {
    read(): T {
      try {
        const text = localStorage.getItem(key);
        if (text === null) return fallback;
        const parsed = shape.safeParse(JSON.parse(text));
        return parsed.success ? parsed.data : fallback;
      } catch {
        return fallback;
      }
    },
    /** False where it was not kept: in private windows and on full disks the value lives on in memory only. */
    write(value: T): boolean {
      try {
        localStorage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    remove(): void {
      try {
        localStorage.removeItem(key);
      } catch {
        // As above.
      }
    },
  };
}

/** The keys that begin so, of what this browser keeps. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Forgets all that this browser keeps except how the page looks: nobody is left who owns it. */
export function forgetStored(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key !== "theme") localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

/** A name of this tab, which it keeps when it is loaded again. */
export function tabName(): string {
  const fresh = crypto.randomUUID();
  try {
    const name = sessionStorage.getItem("tab") ?? fresh;
    sessionStorage.setItem("tab", name);
    return name;
  } catch {
    return fresh;
  }
}
