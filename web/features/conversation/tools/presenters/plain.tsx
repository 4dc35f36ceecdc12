import { Plug, Wrench } from "lucide-react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { connectedName } from "#shared/tools/connected-tools.ts";
import { counted } from "#web/lib/format.ts";
import { humanize } from "../humanize.ts";
import { isEmptyInput, readable } from "../tool-input.ts";
import { ToolSection } from "../tool-section.tsx";
import type { ToolPresenter } from "./tool-presenter.ts";

/** A tool that nothing is known about but its id: `github__list_issues` is 'Github list issues', and what it got and gave is text; of a connection's tool the connection is left out. */
export function plainPresenter(id: string): ToolPresenter {
  const connected = connectedName(id);
  const called = connected ?? id;
  return {
    name: humanize(called) || called,
    icon: connected === null ? Wrench : Plug,
    phrases: () => ({ doing: `Using ${called}`, done: `Used ${called}`, infinitive: `use ${called}`, about: null }),
    figures: plainFigures,
    Input: PlainInput,
    Result: PlainResult,
  };
}

function plainFigures({ sources, images }: ToolCall): string[] {
  const read = sources.filter(({ error }) => error === null).length;
  if (images.length > 0) return [counted(images.length, "image")];
  return read > 0 ? [counted(read, "result")] : failedFigure(sources);
}

/** How many of the pages could not be read. */
export function failedFigure(sources: ToolCall["sources"]): string[] {
  const failed = sources.filter(({ error }) => error !== null).length;
  return failed > 0 ? [`${failed} failed`] : [];
}

function PlainInput({ call: { input } }: { call: ToolCall }) {
  return isEmptyInput(input) ? null : <PlainText title="Input">{readable(input)}</PlainText>;
}

function PlainResult({ call: { output, status } }: { call: ToolCall }) {
  if (output === null || output === "") return null;
  return <PlainText title={status === "failed" ? "Error" : "Output"}>{readable(output)}</PlainText>;
}

/** Text as it is; a long one scrolls by itself and can be reached by keyboard. */
function PlainText({ title, children }: { title: string; children: string }) {
  return (
    <ToolSection title={title}>
      <pre
        // What scrolls must be reachable.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={title}
        className="max-h-260 overflow-auto overscroll-contain rounded-8 bg-s1 px-12 py-8 font-mono text-12 leading-[18px] [overflow-wrap:anywhere] whitespace-pre-wrap text-ink2"
      >
        {children}
      </pre>
    </ToolSection>
  );
}
