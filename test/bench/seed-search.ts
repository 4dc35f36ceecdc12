import { DatabaseSync } from "node:sqlite";
import { wordsOf } from "#worker/platform/db/search-tokens.ts";
import { hubStoreOf } from "./seed.ts";

/** Words of a made-up language, as unevenly used as those of a real one. */
const VOCABULARY = 20_000;
const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "tra", "ble", "kin", "mor"];
/** Words of a message: from a line to a paragraph. */
const MESSAGE_WORDS_MIN = 15;
const MESSAGE_WORDS_MAX = 120;
const PARTS = 1_000;

/** Numbers from 0 to 1, the same in every run (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The made-up words, the most used first. */
export function makeVocabulary(random: () => number): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(""));
  }
  return [...words];
}

/** A word by Zipf's law: each rank half as often as the one half its number. */
export function pickWord(words: readonly string[], random: () => number): string {
  return words[Math.floor(Math.exp(random() * Math.log(words.length))) - 1] ?? "";
}

/**
 * Fills the search index of a user who has searched before with messages of their listed chats, over three years up to now;
 * the server must not run. Answers pairs of words that follow each other in some message.
 */
export function addSearchTexts(
  persistTo: string,
  { chatId, count, words }: { chatId: string; count: number; words: readonly string[] },
): string[] {
  const random = makeRandom(2);
  const db = new DatabaseSync(hubStoreOf(persistTo, chatId));
  const chats = db.prepare("SELECT id, changed FROM chats").all();
  const addChat = db.prepare(
    "INSERT INTO search_chats (chat_id, card, is_own, version, next_seq) VALUES (?, '', 1, 1, 1) ON CONFLICT DO NOTHING",
  );
  const addPlace = db.prepare(
    "INSERT INTO search_places (id, chat, kind, place_id, part, author_name, at, text) VALUES (?, ?, 'message', ?, 0, 'Bench', ?, ?)",
  );
  const addWords = db.prepare("INSERT INTO search_words (rowid, text, author, scope) VALUES (?, ?, 'bench', ?)");
  db.exec("BEGIN");
  for (const chat of chats) addChat.run(String(chat["id"]));
  const numbers = db
    .prepare("SELECT number FROM search_chats")
    .all()
    .map((row) => Number(row["number"]));
  const now = Date.now();
  const step = (3 * 365 * 24 * 60 * 60_000) / count;
  const pairs: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const length = MESSAGE_WORDS_MIN + Math.floor(random() * (MESSAGE_WORDS_MAX - MESSAGE_WORDS_MIN));
    const text = Array.from({ length }, () => pickWord(words, random)).join(" ");
    const at = now - (count - n) * step;
    const id = Math.floor(at / 10);
    const number = numbers[n % numbers.length] ?? 1;
    addPlace.run(id, number, crypto.randomUUID(), new Date(at).toISOString(), text);
    addWords.run(id, wordsOf(text).join(" "), `c${number} message`);
    if (n % 500 === 0) pairs.push(text.split(" ").slice(3, 5).join(" "));
    if (n % PARTS === PARTS - 1) db.exec("COMMIT; BEGIN");
  }
  const last = Math.max(...chats.map((chat) => Number(chat["changed"])));
  db.prepare("UPDATE search_state SET cursor = ?").run(last);
  db.exec("COMMIT");
  db.close();
  return pairs;
}
