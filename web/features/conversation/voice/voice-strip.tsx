import { useEffect, useState, type ReactNode, useRef } from "react";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { weekdayAndTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { offerUntranscribedRecordings } from "./recording.ts";
import { voices, waiting, type Voice, type Waiting } from "./voices.ts";

/** Says what goes on by voice, with the ways to end it; none of them sends. */
export function VoiceStrip({ draftKey }: { draftKey: string }) {
  const voice = useKeyed(voices, draftKey);
  const recordings = useKeyed(waiting, draftKey);
  const { user, features } = useSession();
  const userId = features?.transcription && user && !user.anonymous ? user.id : null;
  useEffect(() => {
    if (userId !== null) void offerUntranscribedRecordings(draftKey, userId);
  }, [draftKey, userId]);
  return (
    <>
      {recordings.map((recording) => (
        <WaitingRecording key={recording.id} recording={recording} isOneOfMany={recordings.length > 1} />
      ))}
      {voice && <Strip voice={voice} />}
    </>
  );
}

function Strip({ voice }: { voice: Voice }) {
  switch (voice.kind) {
    case "listening":
      return (
        <Row dot="live" says="Listening">
          <Ending onCancel={voice.cancel} onConfirm={voice.confirm} />
        </Row>
      );
    case "opening":
      return (
        <Row dot="none" says="Allow the microphone to record">
          <Cancel onClick={voice.cancel} />
        </Row>
      );
    case "recording":
      return (
        <Row dot="live" says="Recording" beside={<RecordingTime startedAt={voice.startedAt} />}>
          <LevelMeter level={voice.level} />
          <Ending onCancel={voice.cancel} onConfirm={voice.confirm} />
        </Row>
      );
  }
}

function WaitingRecording({ recording, isOneOfMany }: { recording: Waiting; isOneOfMany: boolean }) {
  // Several are distinguished by when they began.
  const beside = isOneOfMany && <RecordedAt at={recording.at} />;
  if (recording.kind === "transcribing") {
    return (
      <Row dot="busy" says="Transcribing…" beside={beside}>
        <Cancel onClick={recording.cancel} />
      </Row>
    );
  }
  return (
    <Row dot="none" says={recording.message} isWarning beside={beside}>
      <Button size="sm" variant="quiet" onClick={recording.discard}>
        Discard
      </Button>
      {recording.retry && (
        <Button size="sm" onClick={recording.retry}>
          Transcribe
        </Button>
      )}
    </Row>
  );
}

function RecordedAt({ at }: { at: number }) {
  const began = new Date(at);
  return (
    <time dateTime={began.toISOString()} className="shrink-0 tabular-nums text-ink2">
      {weekdayAndTime(began)}
    </time>
  );
}

type RowProps = { dot: "live" | "busy" | "none"; says: string; isWarning?: boolean; beside?: ReactNode; children: ReactNode };

function Row({ dot, says, isWarning = false, beside, children }: RowProps) {
  return (
    <div
      className={cx(
        "mx-12 mb-8 flex min-h-36 flex-wrap items-center justify-end gap-x-8 rounded-12 py-2 pr-4 pl-12 text-13 touch:py-4 desk:mx-20",
        isWarning ? "bg-signal-soft text-ink" : "bg-accent-soft text-accent-soft-ink",
      )}
    >
      {dot === "live" && <span aria-hidden className="size-8 shrink-0 rounded-full bg-danger motion-safe:animate-pulse" />}
      {dot === "busy" && <span aria-hidden className="thinking-dot shrink-0" />}
      <span className="flex min-w-120 flex-1 items-center gap-8 py-4">
        <span role="status">{says}</span>
        {beside}
      </span>
      {children}
    </div>
  );
}

function Ending({ onCancel, onConfirm }: { onCancel: () => void; onConfirm: () => void }) {
  return (
    <>
      <Button size="sm" variant="quiet" onClick={onCancel}>
        Discard
      </Button>
      <Button size="sm" variant="primary" className="h-28! touch:h-44!" onClick={onConfirm}>
        Done
      </Button>
    </>
  );
}

function Cancel({ onClick }: { onClick: () => void }) {
  return (
    <Button size="sm" variant="quiet" onClick={onClick}>
      Cancel
    </Button>
  );
}

/** How long a recording goes on, `0:07`; `startedAt` in epoch milliseconds. */
function RecordingTime({ startedAt }: { startedAt: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1_000));
  return (
    <span role="timer" className="shrink-0 tabular-nums">
      {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}
    </span>
  );
}

/** How much each bar follows the level: the middle ones most. */
const WEIGHTS = [0.5, 0.8, 1, 0.7, 0.45];
const LOWEST = 0.15;

/** How loud the microphone hears, as bars; drawn past React, as it changes with every frame. */
function LevelMeter({ level }: { level: () => number }) {
  const bars = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      const loudness = level();
      for (const [n, bar] of [...(bars.current?.querySelectorAll("span") ?? [])].entries()) {
        bar.style.transform = `scaleY(${Math.max(LOWEST, loudness * (WEIGHTS[n] ?? 1))})`;
      }
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [level]);
  return (
    <span ref={bars} aria-hidden data-level className="flex h-18 shrink-0 items-center gap-2">
      {WEIGHTS.map((weight) => (
        <span key={weight} className="h-full w-3 origin-center scale-y-15 rounded-full bg-accent" />
      ))}
    </span>
  );
}
