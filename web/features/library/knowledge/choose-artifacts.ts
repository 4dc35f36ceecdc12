import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { listArtifacts } from "#shared/contracts/artifacts.ts";
import { search } from "#shared/contracts/search.ts";
import { KNOWLEDGE_ARTIFACTS, PICKED_ARTIFACT_PREVIEW_LENGTH, PICKED_ARTIFACTS } from "#shared/limits.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

/** An artifact that can be added: its title, and on one line how it begins or what was found in it. */
export type ArtifactChoice = { id: string; title: string; preview: string; isPinned: boolean };

/** Enough that as many are left as are shown, however many are added already. */
const ASKED = KNOWLEDGE_ARTIFACTS + PICKED_ARTIFACTS;

/** The artifacts that can be added, those that are pinned first, then the last changed; with words those that have them in their title or text. */
export function useArtifactChoices(q: string) {
  return useQuery({
    queryKey: keys.artifactChoice(q),
    queryFn: async ({ signal }) => {
      const ask = (filter: "pinned" | "all") =>
        call(listArtifacts, { query: { workspace: "all", filter, sort: "updated", q, limit: ASKED } }, { signal });
      const [pinned, recent, found] = await Promise.all([
        ask("pinned"),
        ask("all"),
        q === "" ? [] : call(search, { query: { q, kind: "artifact" } }, { signal }).then(({ artifacts = [] }) => artifacts),
      ]);
      const choices = [...pinned.artifacts, ...recent.artifacts].map(({ id, title, content_preview, is_pinned }) =>
        toChoice({ id, title, preview: content_preview, isPinned: is_pinned }),
      );
      const inText = found.map(({ id, title, snippet }) => toChoice({ id, title: title.text, preview: snippet.text, isPinned: false }));
      return [...new Map([...inText, ...choices].map((choice) => [choice.id, choice])).values()].toSorted(byPlace(choices));
    },
    placeholderData: keepPreviousData,
    staleTime: lifetimes.short,
  });
}

function toChoice(choice: ArtifactChoice): ArtifactChoice {
  return { ...choice, preview: shortened(choice.preview.replaceAll(/\s+/g, " ").trim()) };
}

function shortened(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= PICKED_ARTIFACT_PREVIEW_LENGTH) return text;
  return `${characters.slice(0, PICKED_ARTIFACT_PREVIEW_LENGTH).join("").trimEnd()}…`;
}

/** What the lists have stands in their order, before what was found in texts alone. */
function byPlace(listed: readonly ArtifactChoice[]): (one: ArtifactChoice, other: ArtifactChoice) => number {
  const places = new Map(listed.map(({ id }, place) => [id, place] as const).toReversed());
  const placeOf = ({ id }: ArtifactChoice) => places.get(id) ?? listed.length;
  return (one, other) => placeOf(one) - placeOf(other);
}

/** Those of the choices that are offered: none that is added already, and a few at most. */
export function offeredOf(choices: readonly ArtifactChoice[], added: readonly { artifact_id: string }[]): ArtifactChoice[] {
  return choices.filter(({ id }) => added.every(({ artifact_id: other }) => other !== id)).slice(0, PICKED_ARTIFACTS);
}
