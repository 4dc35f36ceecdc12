import { expect, it } from "vitest";
import { compareFacts, compareMeaning, type Likeness, factWordsOf } from "#worker/conversation/user-hub/memory/likeness.ts";

const ALL_BUT_THE_SAME = 0.95;
const byWords = (before: string, now: string) => compareFacts(factWordsOf(before), factWordsOf(now));
const byMeaning = (before: string, now: string) =>
  byWords(before, now) ?? compareMeaning(factWordsOf(before), factWordsOf(now), ALL_BUT_THE_SAME);

const PAIRS: readonly (readonly [string, string, Likeness])[] = [
  // What a person has one alone of.
  ["Lives in Berlin", "Lives in Munich", "replaces"],
  ["Is based in Berlin", "Moved to Munich", "replaces"],
  ["Lives in Berlin", "Resides in Berlin", "same"],
  ["Lives in Berlin", "Lives in the north of Berlin", "replaces"],
  ["Lives in the north of Berlin", "Lives in Berlin", "same"],
  ["Wohnt in Berlin", "Lebt in München", "replaces"],
  ["Mila lives in Berlin", "Greta lives in Munich", null],
  ["Lives in Berlin", "Used to live in Munich", null],
  ["Lives in Berlin", "Wants to live in Munich", null],
  ["Lives in Berlin in winter", "Lives in Lisbon in summer", null],
  ["Works for Acme", "Works at Globex", "replaces"],
  ["Works for Acme", "Also works for Globex", null],
  ["Works for Acme", "Works as a nurse", null],
  ["The user's dog is called Rex", "The user's cat is called Tom", null],
  ["The user is called Rosa", "The user's name is Ruth", "replaces"],
  // Of children or dogs there may be two.
  ["The user's dog is called Rex", "The user's dog is called Bruno", null],
  ["User's daughter is called Mila", "User's daughter is called Greta", null],
  ["Has a brother who lives in Paris", "Has a brother who lives in Rome", null],
  ["Favourite colour is blue", "Favorite colour is green", "replaces"],
  ["Favorite food is pizza", "Favorite colour is green", null],
  ["Was born in Rome", "Was born on 3 May 1990", null],
  // Where it is not sure that both are a home or an employer, both stay.
  ["Lives in Berlin", "User moved to a new team", null],
  ["Lives in Berlin", "Moved to the Platform Team", null],
  ["Lives in Berlin", "Lives in a flat", null],
  ["Lives in Berlin", "Lives In A Flat", null],
  ["Lives in Berlin with his wife", "Lives in Munich", null],
  ["Lives in Berlin. Works shifts", "Lives in Munich", null],
  ["Wohnt in Berlin", "Lebt in Scheidung", null],
  ["Lives in Berlin", "Moved to St. Gallen, Switzerland", "replaces"],
  ["Works at Siemens", "Works at night", null],
  ["Works at Siemens", "Works for a small firm in Ulm", null],
  ["Works at Siemens", "Works at the University of Ulm", "replaces"],
  ["Works at 8", "Works at Siemens", null],
  ["Was born in Rome", "Was born into a family of farmers", null],
  ["Was born in 1990", "Was born on 3 May", null],
  ["Was born in 1990", "Was born in 1991", "replaces"],
  // What one feels about something.
  ["Likes tea", "Hates tea", "replaces"],
  ["Likes tea", "Does not like tea", "replaces"],
  ["Does not like tea", "Dislikes tea", "same"],
  ["Likes tea", "Loves tea", "same"],
  ["Likes tea", "Likes coffee", null],
  ["Likes tea", "Hates coffee", null],
  ["Likes dogs", "Has dogs", null],
  // Numbers, in figures or written out.
  ["Has 2 cats", "Has 3 cats", "replaces"],
  ["Has two cats", "Has three cats", "replaces"],
  ["Has two cats", "Has 2 cats", "same"],
  ["Has 2 cats", "Has 3 dogs", null],
  ["Starts work at 8:00 every morning", "Starts work at 9:30 every morning", "replaces"],
  // A word that matters, in however many common ones, and the order of words where it matters.
  ["Drinks tea in the morning", "Drinks coffee in the morning", null],
  [
    "Reads a chapter of a long Russian novel aloud to her daughter every single evening before dinner at home",
    "Reads a chapter of a long French novel aloud to her daughter every single evening before dinner at home",
    null,
  ],
  ["Prefers tea to coffee", "Prefers coffee to tea", "replaces"],
  ["Prefers tea to coffee", "Prefers tea to coffee!", "same"],
  ["Plays the violin every Sunday", "Plays piano on Sundays", null],
  // What says more takes the place of what says less.
  [
    "Writes the minutes of each weekly team meeting in plain English",
    "Writes the minutes of each weekly team meeting in plain English herself",
    "replaces",
  ],
  [
    "Writes the minutes of each weekly team meeting in plain English herself",
    "Writes the minutes of each weekly team meeting in plain English",
    "same",
  ],
];

it.each(PAIRS)("two facts: %s / %s: %s, by words, and however near they are by meaning", (before, now, is) => {
  expect(byWords(before, now)).toBe(is);
  expect(byMeaning(before, now)).toBe(is);
});

it("two facts that are worded otherwise are the same by meaning alone", () => {
  const [before, now] = ["Has a small flat near the river", "Owns a little apartment by the water"];
  expect(byWords(before, now)).toBeNull();
  expect(byMeaning(before, now)).toBe("same");
});
