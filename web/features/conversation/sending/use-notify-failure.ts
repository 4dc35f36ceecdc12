import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { openProDialog } from "#web/features/conversation/models/access-store.ts";
import { openModelSelector } from "#web/features/conversation/models/selector-store.ts";
import { modelName, modelsQuery } from "#web/features/conversation/models/use-models.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { ApiError } from "#web/lib/api.ts";
import { reportOffline } from "#web/lib/connection.ts";
import { remedyFor } from "./send-failure.ts";

/** Says why an action on a turn failed, with the one thing to do about it. */
export function useNotifyFailure(): (title: string, error: unknown, modelId: string | null) => void {
  const navigate = useNavigate();
  const cache = useQueryClient();
  return useCallback(
    (title, error, modelId) => {
      const code = error instanceof ApiError ? error.code : "";
      const description = error instanceof Error ? error.message : "Something went wrong. Try again.";
      if (code === "OFFLINE") reportOffline();
      const remedy = remedyFor(code);
      if (remedy === "ask_for_pro" && modelId !== null) {
        openProDialog({ id: modelId, name: modelName(cache.getQueryData(modelsQuery.queryKey)?.models, modelId) });
        return;
      }
      const action =
        remedy === "sign_in"
          ? { label: "Sign in", onClick: () => void navigate(loginUrl(location.pathname + location.search)) }
          : remedy === "switch_model"
            ? { label: "Switch model", onClick: openModelSelector }
            : undefined;
      toast({ title, description, tone: "danger", ...(action && { action }) });
    },
    [navigate, cache],
  );
}
