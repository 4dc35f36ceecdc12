import type { Chat } from "#shared/entities/chat.ts";
import type { Model } from "#shared/entities/model.ts";
import { nameWithoutMaker } from "#shared/model-names.ts";

/** Who speaks in a chat, as its row knows: a model by its id where the catalogue has it, or a person. */
export type Voice = { kind: "model"; id: string; name: string } | { kind: "person"; name: string; isReader: boolean };

type CatalogueName = Pick<Model, "id" | "name">;

type Row = Pick<Chat, "lastMessageSender" | "sharedByName" | "isShared" | "hasBeenShared">;

/** The last to speak in a chat, and who shared it, each once. */
export function voicesOf(chat: Row, models: readonly CatalogueName[], reader: string): Voice[] {
  const { lastMessageSender: sender, sharedByName: sharer } = chat;
  const last = sender === "" ? [] : [voiceOf(chat, models, reader)];
  const isThere = sharer === null || sharer === sender;
  return isThere ? last : [...last, { kind: "person", name: sharer, isReader: false }];
}

function voiceOf({ lastMessageSender: sender, isShared, hasBeenShared }: Row, models: readonly CatalogueName[], reader: string): Voice {
  if (sender === "You") return { kind: "person", name: reader, isReader: true };
  const model = models.find(({ name }) => name === sender || nameWithoutMaker(name) === sender);
  if (model) return { kind: "model", id: model.id, name: sender };
  // One that left the catalogue, where nobody else could have written.
  return isShared || hasBeenShared ? { kind: "person", name: sender, isReader: false } : { kind: "model", id: sender, name: sender };
}
