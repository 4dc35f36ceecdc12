/** The usual constant of rank fusion (Cormack et al. 2009): how little the first ranks differ. */
const RANK_CONSTANT = 60;

/** What stands in several rankings by its rank in each (reciprocal rank fusion): the higher the nearer to their beginnings. */
export function fuseRanks<T>(rankings: readonly (readonly T[])[]): Map<T, number> {
  const scores = new Map<T, number>();
  for (const ranked of rankings) {
    for (const [rank, one] of ranked.entries()) scores.set(one, (scores.get(one) ?? 0) + 1 / (RANK_CONSTANT + rank + 1));
  }
  return scores;
}
