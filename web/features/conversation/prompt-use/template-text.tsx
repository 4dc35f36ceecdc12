import { cx } from "#web/ui/cx.ts";

type Part = { kind: string; text: string };

const PART_CLASSES: Readonly<Record<string, string>> = {
  variable: "bg-accent-soft text-accent-soft-ink",
  built_in: "bg-s3 text-ink",
  filled: "bg-accent-soft text-accent-soft-ink",
  open: "bg-signal-soft text-signal-ink",
};

/** The parts of a prompt, byte for byte, with its places marked. */
export function TemplateText({ parts }: { parts: readonly Part[] }) {
  // A part has no identity but its place.
  return parts.map((part, index) => {
    const look = PART_CLASSES[part.kind];
    const key = `${index} ${part.kind}`;
    return look === undefined ? (
      <span key={key}>{part.text}</span>
    ) : (
      <mark key={key} className={cx("rounded-[4px] box-decoration-clone px-3 py-1", look)}>
        {part.text}
      </mark>
    );
  });
}
