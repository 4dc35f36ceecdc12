import { loadFullPath } from "#web/features/conversation/messages/load-full-path.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Turns that never come are waited for no longer than this, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Prints the whole shown path: loads what is not here yet, and waits until it stands in the page. */
export async function printChat(chatId: string): Promise<void> {
  try {
    const path = await loadFullPath(chatId);
    await untilShown(path.length);
    print();
  } catch (error) {
    toast({ title: "Failed to print chat", description: error instanceof Error ? error.message : "Try again.", tone: "danger" });
  }
}

function untilShown(turns: number): Promise<void> {
  const start = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const isShown = document.querySelectorAll('[role="log"] [data-message]').length >= turns;
      if (isShown || performance.now() - start > PATIENCE_MS) resolve();
      else setTimeout(look, 50);
    };
    look();
  });
}
