import { keyed } from "#web/lib/keyed.ts";
import { groupedNumber } from "#web/lib/phone-number.ts";
import { cx } from "#web/ui/cx.ts";
import type { ApprovalField } from "./approval-fields.ts";

/** What a call would do, field by field. */
export function ApprovalView({ fields }: { fields: readonly ApprovalField[] }) {
  return (
    <dl className="space-y-8">
      {fields.map(({ name, label, kind, value }) => (
        <div key={name} className="desk:grid desk:grid-cols-[72px_1fr] desk:gap-x-16">
          <dt className={cx("truncate py-3 text-13 leading-[22px] text-ink3", kind === "list" && "desk:py-6")} title={label}>
            {label}
          </dt>
          <dd className="min-w-0 py-3 [overflow-wrap:anywhere] text-ink">
            {kind === "list" ? (
              <ul className="flex flex-wrap gap-6">
                {value.split("\n").map((entry) => (
                  <li key={entry} className="inline-flex min-h-28 items-center rounded-8 bg-s3 px-8 text-14">
                    {entry}
                  </li>
                ))}
              </ul>
            ) : kind === "json" ? (
              <pre className="font-mono text-13 leading-[22px] whitespace-pre-wrap">{value}</pre>
            ) : kind === "text" ? (
              <Prose text={value} />
            ) : (
              <p className="leading-[22px] font-medium">{groupedNumber(value)}</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text in its paragraphs. */
function Prose({ text }: { text: string }) {
  return (
    <div className="space-y-12 text-15 whitespace-pre-wrap">
      {keyed(text.split(/\n{2,}/)).map(({ key, part }) => (
        <p key={key}>{part}</p>
      ))}
    </div>
  );
}
