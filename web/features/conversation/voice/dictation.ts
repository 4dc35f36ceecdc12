import { readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { explain, openRecognition } from "./recognition.ts";
import { insertSpoken } from "./spoken.ts";
import { type Place, voices } from "./voices.ts";

/** Failures of the browser's own service, which another way of hearing may not have. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(["network", "service-not-allowed", "language-not-supported"]);

let hasFailed = false;

/** True once the browser's own service failed on this page: it would fail again. */
export function isServiceDown(): boolean {
  return hasFailed;
}

/** Writes what is said into a draft at the cursor, as it is heard; where the browser's service fails, `goOn` takes over, if it is there. */
export function startDictation(draftKey: string, { start, end }: Place, goOn: ((place: Place) => void) | null): void {
  const recognition = openRecognition();
  if (!recognition || voices.get(draftKey)) return;
  const original = readDraft(draftKey);
  let [before, after] = [original.slice(0, start), original.slice(end)];
  let written = original;
  let results = 0;
  /** Results before this one belong to a text that was changed by hand since. */
  let first = 0;

  const finish = () => {
    recognition.onresult = null;
    recognition.onend = null;
    recognition.onerror = null;
    voices.set(draftKey, null);
  };
  recognition.onresult = (event) => {
    const now = readDraft(draftKey);
    if (now === "" && written !== "") {
      // It was sent.
      finish();
      return recognition.abort();
    }
    if (now !== written) {
      [before, after] = [now, ""];
      first = results;
    }
    results = event.results.length;
    const spoken = Array.from(event.results)
      .slice(first)
      .map((result) => result[0]?.transcript ?? "")
      .join("");
    written = insertSpoken(before, spoken, after);
    writeDraft(draftKey, written);
  };
  recognition.onerror = ({ error }) => {
    if (goOn && OF_THE_SERVICE.has(error)) {
      finish();
      recognition.abort();
      hasFailed = true;
      const at = written.length - after.length;
      return goOn(written === original ? { start, end } : { start: at, end: at });
    }
    const notice = explain(error);
    if (notice) toast({ ...notice, tone: "danger" });
  };
  recognition.onend = finish;
  voices.set(draftKey, {
    kind: "listening",
    // What is still on its way to being heard arrives before the end.
    confirm: () => recognition.stop(),
    cancel: () => {
      finish();
      recognition.abort();
      writeDraft(draftKey, original);
    },
  });
  try {
    recognition.start();
  } catch {
    finish();
    toast({ title: "Voice input could not begin", description: "Another page may be using it.", tone: "danger" });
  }
}
