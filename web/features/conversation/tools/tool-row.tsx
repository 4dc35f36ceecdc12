import { ChevronRight, ImageOff, CircleAlert } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolCall, ToolImage, ToolSource } from "#shared/entities/tool-call.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import type { RunCardProps } from "#web/features/conversation/runs/run-card.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ToolIcon } from "./tool-icon.tsx";
import { toolLineOf } from "./tool-line.ts";
import { ToolParts } from "./tool-parts.tsx";
import { hostOf, isOwnFile } from "./tool-input.ts";
import { presenterOf } from "./presenters/registry.ts";
import { ToolSection } from "./tool-section.tsx";

const ArtifactCall = lazyPart(async () => (await import("#web/features/library/artifact-history/artifact-call.tsx")).ArtifactCall);

const RunCard = lazyPart<RunCardProps>(async () => (await import("#web/features/conversation/runs/run-card.tsx")).RunCard);

/** Tools whose work goes on outside after they have answered. */
const RUN_TOOLS = new Set(["codegenCreateAgentRun", "blandCall"]);

/** Tools that make or change an artifact. */
const WRITING = new Set(["createArtifact", "copyArtifact", "editArtifact"]);

type ToolRowProps = { chatId: string; call: ToolCall; readerId: string | undefined };

/** One tool call: what it does or did in plain words, and on a press what it was given and gave. Its images and legs stand below. */
export const ToolRow = memo(function ToolRow({ chatId, call, readerId }: ToolRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const { state, verb, about, stats } = toolLineOf(call, readerId);
  return (
    <div data-call={call.id} className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="group/row flex min-h-34 w-full items-center gap-10 rounded-8 text-left transition-colors duration-120 touch:min-h-44"
      >
        <ToolIcon tool={call.tool} className="size-16 text-ink2" />
        <span className={cx("min-w-0 truncate font-medium", state === "done" || state === "busy" ? "text-ink" : "text-ink2")}>
          {verb}
        </span>{" "}
        <span className="min-w-0 flex-1 basis-0 truncate text-ink2">{about}</span>{" "}
        <Figures figures={stats} isFailed={state === "failed"} isWaiting={call.status === "waiting"} />
        {call.status === "running" && <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />}
        <ChevronRight
          aria-hidden
          className={cx("size-16 text-ink3 transition-transform duration-120 group-hover/row:text-ink", isOpen && "rotate-90")}
        />
      </button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && <ToolDetails call={call} />}
      </div>
      {call.status === "done" && WRITING.has(call.tool) && <ArtifactCall call={call} />}
      {call.status === "done" && RUN_TOOLS.has(call.tool) && <RunCard chatId={chatId} callId={call.id} />}
      <ToolImages images={call.images} />
      <ToolParts parts={call.parts} />
    </div>
  );
});

function Figures({ figures, isFailed, isWaiting }: { figures: string[]; isFailed: boolean; isWaiting: boolean }) {
  if (figures.length === 0) return null;
  return (
    <span className="flex max-w-1/2 min-w-0 shrink-0 items-center gap-6 text-ink3 tabular-nums">
      {isWaiting && <span aria-hidden className="size-7 shrink-0 rounded-full bg-signal" />}
      {figures.map((figure, index) => (
        <span key={figure} className={cx("truncate", index === 0 && isFailed && "text-danger", isWaiting && "text-signal-ink")}>
          {index > 0 && <span aria-hidden>{"·\u2002"}</span>}
          {figure}
        </span>
      ))}
    </span>
  );
}

/** The images that a call found, each a way to its page. They come from the product's own addresses, never from elsewhere. */
function ToolImages({ images }: { images: readonly ToolImage[] }) {
  const own = images.filter(({ url }) => url.startsWith("/api/media/") || isOwnFile(url));
  if (own.length === 0) return null;
  return (
    <ul aria-label="Images" className="grid grid-cols-3 gap-8 pt-2 pb-12 desk:grid-cols-4 desk:pl-26">
      {own.map((image) => (
        <ImageTile key={image.url} image={image} />
      ))}
    </ul>
  );
}

function ImageTile({ image: { url, page_url, title } }: { image: ToolImage }) {
  const [isMissing, setIsMissing] = useState(false);
  const host = hostOf(page_url);
  const name = title || `Image from ${host}`;
  const href = safeUrl(page_url);
  const picture = isMissing ? (
    <span className="flex aspect-[4/3] flex-col items-center justify-center gap-6 rounded-8 bg-s3 p-8 text-center text-12 text-ink2">
      <ImageOff aria-hidden className="size-16" />
      <span className="line-clamp-2">{name}</span>
    </span>
  ) : (
    <img
      src={url}
      alt={name}
      loading="lazy"
      decoding="async"
      onError={() => setIsMissing(true)}
      className="aspect-[4/3] w-full rounded-8 bg-s3 object-cover"
    />
  );
  return (
    <li className="min-w-0">
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={`${name} (${host})`} className="block rounded-8">
          {picture}
        </a>
      ) : (
        picture
      )}
    </li>
  );
}

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
