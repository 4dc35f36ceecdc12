import { TooMuchWork } from "#shared/markdown/work-meter.ts";

/** Characters that the addresses of a letter's links may take together: one definition may be called many thousand times. */
const LINKS_LENGTH = 500_000;

/** What may still be written beyond a text's own length. */
export type Budget = { spend(characters: number): void };

/** A letter's budget; spending more than there is throws `TooMuchWork`. */
export function createBudget(): Budget {
  let left = LINKS_LENGTH;
  return {
    spend(characters) {
      left -= characters;
      if (left < 0) throw new TooMuchWork("The links of this text take too much room.");
    },
  };
}
