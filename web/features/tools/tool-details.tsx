import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ToolCall, ToolSource } from "#shared/entities/tool-call.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { cx } from "#web/ui/cx.ts";
import { isEmptyInput, readable } from "./tool-input.ts";
import { hostOf } from "./tool-words.ts";

/** What a call was given and gave: the pages it read or could not, its input, and what the model was told. */
export function ToolDetails({ call }: { call: ToolCall }) {
  return (
    <div className="space-y-12 pt-2 pb-14 desk:pl-26">
      {call.sources.length > 0 && (
        <Section title="Sources">
          <ul>
            {call.sources.map((source) => (
              <SourceLine key={source.url} source={source} />
            ))}
          </ul>
        </Section>
      )}
      {!isEmptyInput(call.input) && (
        <Section title="Input">
          <Plain label="Input">{readable(call.input)}</Plain>
        </Section>
      )}
      {call.output !== null && call.output !== "" && (
        <Section title={call.status === "failed" ? "Error" : "Output"}>
          <Plain label={call.status === "failed" ? "Error" : "Output"}>{readable(call.output)}</Plain>
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-4 text-12 font-medium text-ink3">{title}</p>
      {children}
    </div>
  );
}

/** Text as it is; a long one scrolls by itself and can be reached by keyboard. */
function Plain({ label, children }: { label: string; children: string }) {
  return (
    <pre
      // What scrolls must be reachable.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      className="max-h-260 overflow-auto overscroll-contain rounded-8 bg-s1 px-12 py-8 font-mono text-12 leading-[18px] [overflow-wrap:anywhere] whitespace-pre-wrap text-ink2"
    >
      {children}
    </pre>
  );
}

function SourceLine({ source: { url, title, error } }: { source: ToolSource }) {
  const href = safeUrl(url);
  const name = title || url;
  return (
    <li className={cx("flex min-h-28 items-center gap-x-8 touch:min-h-44", error !== null && "max-[520px]:flex-wrap")}>
      {error !== null && <CircleAlert aria-hidden className="size-14 text-danger" />}
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="min-w-0 truncate text-ink underline max-[520px]:max-w-[calc(100%-22px)] decoration-line-strong decoration-1 underline-offset-3 transition-colors duration-120 hover:decoration-ink touch:py-12"
        >
          {name}
        </a>
      ) : (
        <span className="min-w-0 truncate text-ink">{name}</span>
      )}
      {error === null ? (
        title && <span className="shrink-0 text-ink3">{hostOf(url)}</span>
      ) : (
        <span className="min-w-0 shrink-0 truncate text-danger max-[520px]:w-full max-[520px]:pb-8 max-[520px]:whitespace-normal">{`Not read: ${error}`}</span>
      )}
    </li>
  );
}
