import { useMutation } from "@tanstack/react-query";
import { FilePlus } from "lucide-react";
import { useNavigate } from "react-router";
import { ToolbarButton } from "#web/features/markdown/toolbar-button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useArtifactsOn } from "./artifacts-on.ts";
import { fenced, titleOf } from "./title-of.ts";

/** What is kept: a text as it is, or one that stands in a fence of a language. */
export type KeepProps = { look: "icon" | "tool"; title?: string; text: () => string; language?: string };

/** Saves an answer, a table or a block of code as an artifact; nothing where there are none. */
export function KeepAsArtifact({ look, title, text, language }: KeepProps) {
  const state = useArtifactsOn();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: async (content: string) =>
      (await import("./create-artifact.ts")).saveAsArtifact({ title: title || titleOf(content), content }, navigate),
  });
  if (state !== "on") return null;
  const keep = () => {
    if (!saving.isPending) saving.mutate(language === undefined ? text() : fenced(text(), language));
  };
  if (look === "tool") return <ToolbarButton icon={FilePlus} label="Save" name="Save as artifact" onClick={keep} />;
  return <IconButton label="Save as artifact" icon={FilePlus} aria-busy={saving.isPending || undefined} onClick={keep} />;
}
