import { toast } from "#web/ui/toast/toast.tsx";

let running: string | null = null;
let offered = false;

/** Takes what the server says about its build: another one than this page began with asks to reload, once. */
export function noteVersion(version: string): void {
  if (version === "") return;
  running ??= version;
  if (version === running || offered) return;
  offered = true;
  toast({ title: "A new version is ready", duration: null, action: { label: "Reload", onClick: () => window.location.reload() } });
}
