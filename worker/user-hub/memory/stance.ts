/** Whether a fact says that somebody likes something or the opposite, null where it says neither or both. */
export type Stance = "for" | "against" | null;

/** As `wordsIn` leaves them. */
const FOR = new Set("like love enjoy adore fond mag liebt liebe aime adore gusta".split(" "));
const AGAINST = new Set("hate dislike detest loathe avoid hasst verabscheut deteste odia".split(" "));

/** How the person of a fact feels about what it tells, and the words that are left then. */
export function stanceIn(words: readonly string[], isNegated: boolean): { stance: Stance; rest: readonly string[] } {
  const [likes, dislikes] = [words.some((word) => FOR.has(word)), words.some((word) => AGAINST.has(word))];
  if (likes === dislikes) return { stance: null, rest: words };
  return { stance: likes === isNegated ? "against" : "for", rest: words.filter((word) => !FOR.has(word) && !AGAINST.has(word)) };
}
