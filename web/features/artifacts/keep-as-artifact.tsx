import { FilePlus } from "lucide-react";
import { useState } from "react";
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
  const [isBusy, setIsBusy] = useState(false);
  if (state !== "on") return null;
  const keep = () => {
    if (isBusy) return;
    setIsBusy(true);
    const content = language === undefined ? text() : fenced(text(), language);
    void import("./create-artifact.ts")
      .then(({ saveAsArtifact }) => saveAsArtifact({ title: title || titleOf(content), content }, navigate))
      .finally(() => setIsBusy(false));
  };
  if (look === "tool") return <ToolbarButton icon={FilePlus} label="Save" name="Save as artifact" onClick={keep} />;
  return <IconButton label="Save as artifact" icon={FilePlus} aria-busy={isBusy || undefined} onClick={keep} />;
}
