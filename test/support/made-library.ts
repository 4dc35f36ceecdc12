type Made = { documents: number; questions: number; pages: number };
type Question = { text: string; answer: string; documentId: string };

/** What documents say of their place, and how it is asked for: in other words, as people do. */
const TOPICS = [
  {
    says: (place: string, value: number) => `The bridge of ${place} was opened in ${1_000 + value}.`,
    asks: (place: string) => `In which year did the opening of the ${place} bridge take place?`,
  },
  {
    says: (place: string, value: number) => `Visitors pay ${value} crowns at the gate of ${place}.`,
    asks: (place: string) => `What does a visitor have to pay in ${place}?`,
  },
  {
    says: (place: string, value: number) => `${place} counted ${value} inhabitants at the last census.`,
    asks: (place: string) => `How many people inhabit ${place}?`,
  },
  {
    says: (place: string, value: number) => `The tower of ${place} is ${value} feet high.`,
    asks: (place: string) => `What is the height of the towers in ${place}, in feet?`,
  },
  {
    says: (place: string, value: number) => `The harbour of ${place} shelters ${value} fishing boats in winter.`,
    asks: (place: string) => `Number of boats that fish from ${place} and winter there`,
  },
];
const SYLLABLES = ["kal", "dor", "mir", "en", "tha", "vos", "lun", "bre", "quil", "osh", "fen", "ruth", "gar", "eld", "yss", "pom"];
const FILLER = "Nothing else is told of this matter, as its records were lost when the archive moved and nobody wrote them anew.";

/** Documents about invented places, and questions whose answers stand in one of them; every third names its place with two letters swapped, as who types in haste does. */
export function makeLibrary({ documents, questions, pages }: Made): {
  documents: { id: string; name: string; text: string }[];
  questions: Question[];
  pages: string;
} {
  const places = Array.from({ length: documents }, (_, at) => placeOf(at));
  const value = (place: number, topic: number) => 100 + ((place * 7 + topic * 131) % 850);
  const made = places.map((place, at) => ({
    id: `place-${at}`,
    name: `Guide ${at + 1}.md`,
    text: TOPICS.map(({ says }, topic) => `## Chapter ${topic + 1}\n\n${says(place, value(at, topic))} ${`${FILLER} `.repeat(8)}\n\n`).join(
      "",
    ),
  }));
  const asked = Array.from({ length: questions }, (_, at): Question => {
    const place = (at * 37) % documents;
    const topic = at % TOPICS.length;
    const name = places[place] ?? "";
    const { says, asks } = TOPICS[topic] ?? { says: () => "", asks: () => "" };
    return { text: asks(at % 3 === 0 ? swapped(name) : name), answer: says(name, value(place, topic)), documentId: `place-${place}` };
  });
  const page = (_: unknown, at: number) =>
    `## Page ${at + 1}\n\n${`Entry ${at} of the ledger names ${placeOf(at + 5_000)} and what was bought there. ${FILLER} `.repeat(9)}\n\n`;
  return { documents: made, questions: asked, pages: Array.from({ length: pages }, page).join("") };
}

function placeOf(at: number): string {
  const part = (digit: number) => SYLLABLES[digit % SYLLABLES.length] ?? "";
  const name = [at, at >> 4, at >> 8, at * 5 + 3].map(part).join("");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function swapped(name: string): string {
  const at = name.length - 3;
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
}
