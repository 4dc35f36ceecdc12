import { createTag, deleteTag, tagChats, updateTag } from "#shared/contracts/folders.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Tag } from "#shared/entities/folders/folder.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { showMarksOptimistically } from "#web/features/conversation/chat-cache/mark-chat.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { change, inParts, reasonsOf, subject } from "#web/features/conversation/filing/filing-change.ts";
import type { FoldersAndTags } from "#web/features/conversation/chat-cache/cached-folders.ts";

/** Puts a tag on chats by its name, which makes it where there is none, or takes one off. */
export async function setTag(chats: readonly Chat[], tag: { name: string; id?: string }, isOn: boolean): Promise<void> {
  const { id } = tag;
  const changed = chats.map((chat) => cachedChat(chat.id) ?? chat).filter((chat) => id === undefined || chat.tags.includes(id) !== isOn);
  if (changed.length === 0) return undefined;
  const takeBack =
    id === undefined
      ? null
      : showMarksOptimistically(changed, ({ tags }) => ({ tags: isOn ? [...tags, id] : tags.filter((other) => other !== id) }));
  const ids = changed.map((chat) => chat.id);
  const body = isOn || id === undefined ? { add: [tag.name] } : { remove: [id] };
  const failure = `${subject(changed)} not tagged`;
  const answer = await change({ show: (held) => held, failure }, () =>
    inParts(ids, (part) => call(tagChats, { body: { chat_ids: part, ...body } })),
  );
  if (answer === null) return takeBack?.(() => true);
  const { first, refused } = answer;
  takeBack?.((chat) => refused.has(chat.id));
  const made = id === undefined ? first.tags[0] : undefined;
  if (made) {
    const tagged = changed.filter((chat) => !refused.has(chat.id));
    showMarksOptimistically(tagged, ({ tags }) => ({ tags: [...new Set([...tags, made.id])] }))(() => false);
  }
  if (refused.size > 0) toast({ tone: "warning", title: `${chatCountLabel(refused.size)} not tagged`, description: reasonsOf(refused) });
  return undefined;
}

/** Makes a tag that no chat has yet. */
export async function makeTag(name: string): Promise<Tag | null> {
  const made = await change({ show: (held) => held, failure: "The tag was not made" }, () => call(createTag, { body: { name } }));
  return made && made.tag;
}

/** Renames or recolours a tag; the name of another one makes one of both. */
export async function changeTag(tag: Tag, to: { name?: string; hue?: number; merge?: boolean }): Promise<boolean> {
  const show = (held: FoldersAndTags) => ({
    ...held,
    tags: held.tags.map((other) => (other.id === tag.id ? { ...other, ...named(to) } : other)),
  });
  const changed = await change({ show, failure: "The tag was not changed" }, () => call(updateTag, { params: { id: tag.id }, body: to }));
  return changed !== null;
}

function named({ name, hue }: { name?: string; hue?: number }): Partial<Tag> {
  return { ...(name !== undefined && { name }), ...(hue !== undefined && { hue }) };
}

/** Deletes a tag and takes it off all chats. */
export async function removeTag(tag: Tag): Promise<boolean> {
  const show = (held: FoldersAndTags) => ({ ...held, tags: held.tags.filter((other) => other.id !== tag.id) });
  const deletion = await change({ show, failure: "The tag was not deleted" }, () => call(deleteTag, { params: { id: tag.id } }));
  return deletion !== null;
}
