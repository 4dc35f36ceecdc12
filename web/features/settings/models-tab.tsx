import { lazy } from "react";
import { useSettings } from "./use-settings.ts";

const AllowlistEditor = lazy(async () => ({ default: (await import("#web/features/models/allowlist-editor.tsx")).AllowlistEditor }));

/** Which models appear in the selector. */
export function ModelsTab() {
  const { close } = useSettings();
  return <AllowlistEditor onClose={close} />;
}
