// Before anything is checked by a schema.
import "./lib/zod-config.ts";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { readArrival } from "#web/features/shell/arrival/arrival.ts";
import { watchEarlyComposer } from "#web/features/conversation/composer/early-text.ts";
import { bindDraftsToAccount } from "#web/features/people/session/bind-drafts-to-account.ts";
import { followKeyboard } from "./lib/keyboard.ts";
import { App } from "./router.tsx";
// Follows the device and other tabs from the start, not from the first look at the settings.
import "#web/lib/theme.ts";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
bindDraftsToAccount();
readArrival();
watchEarlyComposer();
followKeyboard();
// What was kept is shown at once; with a network it waits for the first screen (live-layer.ts).
if (!navigator.onLine) void import("#web/features/shell/offline/start-offline.ts").then(({ startOffline }) => startOffline());
// In a task of its own, and in slices, so a slow device still answers while the first screen is made.
setTimeout(() => startTransition(() => createRoot(root).render(<App />)));
