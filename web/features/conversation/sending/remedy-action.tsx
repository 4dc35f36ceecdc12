import { useLocation } from "react-router";
import { openProDialog } from "#web/features/conversation/models/access-store.ts";
import { openModelSelector } from "#web/features/conversation/models/selector-store.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import type { Remedy } from "./send-failure.ts";

function UsageButton() {
  const { open } = useSettings();
  return (
    <Button size="sm" onClick={() => open("usage")}>
      See credits
    </Button>
  );
}

/** The button of a refusal's one way out; nothing where there is none. */
export function RemedyAction({ remedy, modelId }: { remedy: Remedy; modelId: string }) {
  const name = useModelName(modelId);
  const { pathname, search } = useLocation();
  switch (remedy) {
    case "sign_in":
      return (
        <Link
          to={loginUrl(pathname + search)}
          className="inline-flex h-32 shrink-0 items-center rounded-8 bg-accent px-12 text-13 font-medium text-accent-ink transition-colors duration-120 hover:bg-accent-hover touch:h-44"
        >
          Sign in
        </Link>
      );
    case "ask_for_pro":
      return (
        <Button size="sm" onClick={() => openProDialog({ id: modelId, name })}>
          I want this model
        </Button>
      );
    case "switch_model":
      return (
        <Button size="sm" onClick={openModelSelector}>
          Switch model
        </Button>
      );
    case "see_usage":
      return <UsageButton />;
    case "none":
      return null;
  }
}
