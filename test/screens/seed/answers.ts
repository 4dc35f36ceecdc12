/** Answers as models write them: paragraphs, lists, a table, code. */
export const QUESTION = "How bright should the harbour lanterns be, and how long would they last on one battery? We have 48 poles.";

export const ANSWER = `For a promenade that people walk and cycle on, plan for **10 lux on average** at the ground and never less than 3. That is the P2 class of EN 13201 [1], and it still leaves the water dark.

## What it means for the battery

A pole of 4.5 m with a good reflector needs about 1,400 lm for that. At 160 lm/W the driver takes 9 W, and the night has 16 hours in December.

| Setting | Power | One night in December | Nights on 640 Wh |
|---|--:|--:|--:|
| Full, all night | 9 W | 144 Wh | 4.4 |
| Full until 23:00, then half | 6.1 W | 98 Wh | 6.5 |
| Half, full when somebody comes | 4.8 W | 77 Wh | **8.3** |
| A third, amber | 2.9 W | 46 Wh | 13.9 |

The third line is what most harbours choose now [2]. Two things speak for it here:

1. **Bats.** The quay is a flyway; amber light under 2,200 K disturbs them least [3].
2. **Maintenance.** Eight nights of reserve survive a week of fog without a visit.

## How I would begin

- Put up *two* poles with loggers for the darkest three weeks.
- Measure at the kerb, at 1.5 m height, and on the water.
- Decide about the other 46 in January.

> A lantern nobody notices is the best one; the path is what should be seen.

If you send me the drawing, I compute the spacing: with 22 m between poles the uniformity drops below 0.4, which is where people begin to see pools of light.`;

export const SOURCES = [
  { url: "https://standards.example.org/en-13201-2", title: "EN 13201-2: Road lighting, performance requirements" },
  { url: "https://harbours.example.net/adaptive-light", title: "Adaptive light on eleven quays: three winters" },
  { url: "https://www.bats-and-light.example/guidance", title: "Guidance note 8: bats and artificial lighting at night" },
];

export const CODE_QUESTION = "Write me a function that says how many nights a battery lasts, and a test. TypeScript please.";

export const CODE_ANSWER = `Here it is. It takes the phases of a night, so dimming is only more phases:

\`\`\`ts
type Phase = { hours: number; watts: number };

/** Nights that a battery lasts; \`reserve\` is the part of it that is never used. */
export function nightsOf(batteryWh: number, phases: readonly Phase[], { reserve = 0.2, driverLoss = 0.06 } = {}): number {
  const night = phases.reduce((sum, { hours, watts }) => sum + hours * watts, 0) * (1 + driverLoss);
  if (night <= 0) throw new RangeError("A night takes some energy: give at least one phase with hours and watts.");
  return Math.floor(((batteryWh * (1 - reserve)) / night) * 10) / 10;
}
\`\`\`

And a test with the numbers of above:

\`\`\`ts
import { expect, test } from "vitest";
import { nightsOf } from "./nights-of.ts";

test("half until somebody comes lasts eight nights", () => {
  expect(nightsOf(640, [{ hours: 16, watts: 4.8 }], { reserve: 0, driverLoss: 0 })).toBe(8.3);
});
\`\`\`

Run it with \`npx vitest run nights-of\`. The energy of a night is $E = \\sum_i P_i t_i (1 + \\ell)$, so for the third setting

$$
n = \\left\\lfloor \\frac{640 \\cdot (1 - r)}{77 \\cdot (1 + \\ell)} \\cdot 10 \\right\\rfloor / 10
$$

\`\`\`mermaid
graph LR
  A[Battery 640 Wh] --> B{Reserve}
  B -->|80 %| C[Driver]
  C --> D[Lantern]
\`\`\``;

export const TABLES_QUESTION = "What does each quay take, month by month, and what does every single lantern? With the formula, please.";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September"];
const ENERGY = [4.4, 4.1, 3.6, 2.9, 2.3, 1.8, 1.9, 2.4, 3.1];
const QUAYS = ["North quay", "Slipway", "Ferry pier", "Fish market"];

/** A formula within a line, a table that a phone shows a part of, and one that is longer than any window. */
export const TABLES_ANSWER = `A lantern at $\\tfrac{1}{3}$ of its power takes $\\tfrac{1}{3} \\cdot 9 = 3$ W. Where it is dimmed for half of the night, $E = \\tfrac{1}{2} P t + \\tfrac{1}{2} \\cdot \\tfrac{P}{3} t$, so

$$
E = \\frac{1}{2} \\left( P + \\frac{P}{3} \\right) t = \\tfrac{2}{3} P t
$$

In kWh, by quay and month:

| Quay | ${MONTHS.join(" | ")} |
|---|${"--:|".repeat(MONTHS.length)}
${QUAYS.map((quay, n) => `| ${quay} | ${ENERGY.map((energy) => (energy * (12 + n * 3)).toFixed(1)).join(" | ")} |`).join("\n")}

And lantern by lantern, with its place and what it takes in a night of December:

| Lantern | Place | Setting | Wh |
|---|---|---|--:|
${Array.from({ length: 48 }, (_, n) => `| ${n + 1} | ${QUAYS[n % 4]}, pole ${Math.floor(n / 4) + 1} | ${n % 3 === 0 ? "Half, full when somebody comes" : "A third, amber"} | ${n % 3 === 0 ? 77 : 46} |`).join("\n")}

Those at the slipway stand at half as the fire brigade asked for it. ${"The others can rest at a third from the first week on, and the loggers say whether that is enough. ".repeat(6).trim()}`;

export const DOCUMENT = `# Lighting plan of the harbour promenade

Second draft, for the committee on 4 December.

## What we propose

48 poles of larch, 4.5 m high, with amber lanterns that rest at a third and brighten as somebody comes.

| Item | Pieces | Each | Together |
|---|--:|--:|--:|
| Pole, larch, oiled | 48 | 420 | 20,160 |
| Lantern with driver | 48 | 610 | 29,280 |
| Battery 640 Wh | 48 | 380 | 18,240 |
| Mounting | 48 | 150 | 7,200 |

## What it does not do

- It lights no water.
- It needs no cable, so no trench and no permit for one.

## Open questions

1. Who changes batteries in the third winter?
2. Does the fire brigade accept 3 lux at the slipway?
`;

export const REVIEW = `The review now stands in the first section at 14:00. Two other lines leaned on the old time, and both are changed.

- Week one, day four: the harbour tour moves to the morning, 10:00 to 11:30.
- Working hours: lunch together on Thursdays now ends at 13:30.

One thing is open. Tomás teaches on Thursdays from 13:00 to 15:00, so he would miss the review until the term ends on 12 February.`;

export const MONDAYS = "Tomás reports on Mondays at 9:30 until 12 February. I also took the note about gluten out.";

/** What the person asked for where the seed's own message is a script. */
export const ASKED = [
  "From next week the Thursday review is at 14:00, with Hanna and Karim. Put it into the first section and tell me what else has to change.",
  "Then move Tomás's part to the Monday round. And forget that I eat no gluten, that was a guest.",
];
