import { Download } from "lucide-react";
import { getImportReport } from "#shared/contracts/account/imports.ts";
import type { Import } from "#shared/imports/import.ts";
import { countedKinds } from "#shared/imports/report.ts";
import { address } from "#web/lib/api.ts";

const TITLES = { done: "Imported", failed: "The import failed", cancelled: "The import was cancelled" } as const;

/** What came of an import: counted by kind, and each thing that did not come with its reason. */
export function ImportReport({ import: made }: { import: Import }) {
  const { state, error, notes, note_count: count, id } = made;
  const kinds = countedKinds(made);
  const title = state === "done" || state === "failed" || state === "cancelled" ? TITLES[state] : "";
  const more = count - notes.length;
  const numbered = notes.map((note, place) => ({ ...note, key: `${place}` }));
  return (
    <section aria-label="Report of the import">
      <p role={state === "failed" ? "alert" : "status"} className="text-14 text-pretty">
        <span className="font-medium text-ink">{title}</span>
        <span className="text-ink2">{`: ${made.name}`}</span>
        {error !== null && <span className="mt-2 block text-13 text-danger">{error}</span>}
      </p>
      {kinds.length > 0 && (
        <table className="mt-12 w-full border-collapse text-13 tabular-nums">
          <thead>
            <tr className="border-b border-line text-left text-12 text-ink2">
              <th scope="col" className="py-6 font-medium">
                <span className="sr-only">Kind</span>
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Imported
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Already here
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Not imported
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, label, count: { came, here, failed } }) => (
              <tr key={kind} className="border-b border-line">
                <th scope="row" className="py-8 text-left font-medium text-ink first-letter:uppercase">
                  {label}
                </th>
                <Amount value={came} />
                <Amount value={here} />
                <Amount value={failed} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.length > 0 && (
        <>
          <h3 className="mt-20 text-12 font-medium text-ink2">What to know</h3>
          <ul className="mt-4">
            {numbered.map(({ key, title: what, reason }) => (
              <li key={key} className="border-b border-line py-8 text-13">
                <p className="truncate font-medium text-ink">{what}</p>
                <p className="text-pretty text-ink2">{reason}</p>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="mt-8 text-13 text-ink2">{`And ${more.toLocaleString("en")} more, in the report.`}</p>}
        </>
      )}
      <a
        href={address(getImportReport, { params: { id } })}
        download
        className="mt-16 inline-flex h-32 items-center gap-8 rounded-8 px-8 -ml-8 text-13 font-medium text-ink hover:bg-s3 touch:h-44"
      >
        <Download aria-hidden className="size-16 text-ink2" />
        Report as text
      </a>
    </section>
  );
}

function Amount({ value }: { value: number }) {
  return (
    <td className={value === 0 ? "py-8 pl-12 text-right text-ink3" : "py-8 pl-12 text-right text-ink"}>{value.toLocaleString("en")}</td>
  );
}
