import { CircleAlert } from "lucide-react";
import type { ToolCall, ToolSource } from "#shared/entities/tool-call.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { cx } from "#web/ui/cx.ts";
import { presenterOf } from "./presenters/registry.ts";
import { hostOf, isOwnFile } from "./tool-input.ts";
import { ToolSection } from "./tool-section.tsx";

/** What a call was given and gave: the pages it read or could not, its input, and what the model got. */
export function ToolDetails({ call }: { call: ToolCall }) {
  const { Input, Result } = presenterOf(call.tool);
  return (
    <div className="space-y-12 pt-2 pb-14 desk:pl-26">
      {call.sources.length > 0 && (
        <ToolSection title="Sources">
          <ul>
            {call.sources.map((source) => (
              <SourceLine key={source.url} source={source} />
            ))}
          </ul>
        </ToolSection>
      )}
      <Input call={call} />
      <Result call={call} />
    </div>
  );
}

function SourceLine({ source: { url, title, error } }: { source: ToolSource }) {
  const href = safeUrl(url) ?? (isOwnFile(url) ? url : undefined);
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
        title && <span className="shrink-0 text-ink3">{isOwnFile(url) ? "File" : hostOf(url)}</span>
      ) : (
        <span className="min-w-0 shrink-0 truncate text-danger max-[520px]:w-full max-[520px]:pb-8 max-[520px]:whitespace-normal">{`Not read: ${error}`}</span>
      )}
    </li>
  );
}
