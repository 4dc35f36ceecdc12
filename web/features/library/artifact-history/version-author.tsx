import { use, createContext } from "react";
import type { ArtifactVersion } from "#shared/entities/artifact.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Avatar } from "#web/ui/avatar.tsx";

type Author = Pick<ArtifactVersion, "author_id" | "author_name" | "model_id">;

/** Who wrote a version: a model by its name, the reader as 'You'. */
export function useAuthorName({ author_id: id, author_name: name, model_id: modelId }: Author): string {
  const { user } = useSession();
  const nameOf = use(ModelNamesContext);
  if (modelId !== null) return nameOf(modelId);
  return id === user?.id ? "You" : name || "Somebody";
}

/** The tile of a model or the face of a person. */
export function AuthorMark({ author }: { author: Author }) {
  const name = useAuthorName(author);
  if (author.model_id !== null) return <ModelTile id={author.model_id} name={name} size={28} />;
  return <Avatar name={author.author_name || "Somebody"} size={28} />;
}

/** What a model is called that wrote a version; who shows an artifact provides it. */
export const ModelNamesContext = createContext<(id: string) => string>((id) => id);
