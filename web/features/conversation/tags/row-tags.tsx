import { TagDot } from "./tag-dot.tsx";
import { tagsOf, useFolders } from "#web/features/conversation/filing/use-folders.ts";

/** So many tags a row shows; the rest is counted. */
const SHOWN = 2;

/** A chat's tags in its row: one by its name, two by their colours, all by their names for who asks. */
export default function RowTags({ ids }: { ids: readonly string[] }) {
  const { tags } = useFolders();
  const own = tagsOf(tags, ids);
  const [only] = own;
  if (!only) return null;
  const names = own.map(({ name }) => name).join(", ");
  return (
    <span title={`Tagged ${names}`} className="pointer-events-auto flex shrink-0 items-center gap-4">
      {own.slice(0, SHOWN).map(({ id, hue }) => (
        <TagDot key={id} hue={hue} />
      ))}
      {own.length === 1 && (
        <span aria-hidden className="max-w-64 truncate">
          {only.name}
        </span>
      )}
      {own.length > SHOWN && <span aria-hidden>+{own.length - SHOWN}</span>}
      <span className="sr-only">Tagged {names}</span>
    </span>
  );
}
