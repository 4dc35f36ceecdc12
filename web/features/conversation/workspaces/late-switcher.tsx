import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { WorkspaceSwitcherProps } from "./workspace-switcher.tsx";
import { useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";

/** The way to another workspace; it comes after the first screen, into its place. */
export const LateSwitcher = lazyPart<WorkspaceSwitcherProps>(
  async () => (await import("./workspace-switcher.tsx")).WorkspaceSwitcher,
  Space,
);

function Space({ rail = false }: WorkspaceSwitcherProps) {
  const choice = useWorkspaceChoice();
  if (!choice) return null;
  return <span className={rail ? "mb-8 size-36 touch:size-44" : "h-34 w-88 shrink-0"} />;
}
