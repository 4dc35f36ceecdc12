import { unwrap } from "#worker/platform/errors/app-error.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { Filing, FolderAnswer } from "#worker/conversation/hub/folders.ts";
import type { MemoryAnswer } from "#worker/library/memories/rpc.ts";
import type { ScheduleAnswer } from "#worker/conversation/hub/schedules.ts";
import { prettyJson, type Section } from "../section.ts";

/** What models know about the person, each fact with what it said before. */
export const memorySection: Section = {
  async write({ archive, env, userId, count }) {
    const hub = hubOf(env, userId);
    const { memories } = unwrap<MemoryAnswer>(await hub.memory({ kind: "list" }));
    const facts = [];
    for (const { is_sent: _sent, ended: _ended, has_history: hasHistory, ...fact } of memories) {
      const history = hasHistory ? unwrap<MemoryAnswer>(await hub.memory({ kind: "history", id: fact.id })).versions : [];
      facts.push({ ...fact, history });
    }
    await archive.text("memory/memories.json", prettyJson(facts));
    count("memories", facts.length);
    return null;
  },
};

/** Messages that are sent by themselves, each with the times at which it ran. */
export const scheduleSection: Section = {
  async write({ archive, env, userId, count }) {
    const hub = hubOf(env, userId);
    const { schedules } = unwrap<ScheduleAnswer>(await hub.schedules({ kind: "list" }));
    const listed = [];
    for (const { last_run: _last, ...schedule } of schedules) {
      const { runs } = unwrap<ScheduleAnswer>(await hub.schedules({ kind: "runs", id: schedule.id }));
      listed.push({ ...schedule, runs });
    }
    await archive.text("schedules/schedules.json", prettyJson(listed));
    count("schedules", listed.length);
    return null;
  },
};

/** Filings that are asked for at a time. */
const FILINGS_AT_ONCE = 1_000;

/** Folders and tags, and which chats are in them. */
export const folderSection: Section = {
  async write({ archive, env, userId, count }) {
    const hub = hubOf(env, userId);
    const ask = async (after: string) => unwrap<FolderAnswer>(await hub.folders({ kind: "export", after, limit: FILINGS_AT_ONCE }));
    const { folders, tags, filings: first } = await ask("");
    const filings: Filing[] = [...first];
    for (let page = first; page.length === FILINGS_AT_ONCE;) {
      page = (await ask(page.at(-1)?.chat_id ?? "")).filings;
      filings.push(...page);
    }
    const own = {
      folders: folders.map(({ chat_count: _chats, unread_count: _unread, ...folder }) => folder),
      tags: tags.map(({ chat_count: _chats, ...tag }) => tag),
      filings,
    };
    await archive.text("folders/folders.json", prettyJson(own));
    count("folders", folders.length);
    count("tags", tags.length);
    return null;
  },
};
