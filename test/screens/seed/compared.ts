import type { ExportedMessage } from "#shared/sharing/exported-chat.ts";

type Round = ExportedMessage["tool_rounds"][number];
type Call = Round["calls"][number];
type Part = Call["parts"][number];
type Several = { title: string; question: string } & Pick<ExportedMessage, "content" | "citations" | "tool_rounds">;

const SONNET = "anthropic/claude-sonnet-4.5";
const GPT = "openai/gpt-5-mini";
const GEMINI = "google/gemini-2.5-flash";

/** A question to several models, of which one did not answer, and what they agree on. */
export const COMPARED: Several = {
  title: "Larch or steel for the poles",
  question: "Larch or steel for the poles? Ask several models and tell me where they differ.",
  content: `All three advise **larch for the promenade**. They part over the lifetime, and only Gemini looked at who repaints the steel.

| Where they stand | Claude Sonnet 4.5 | GPT-5 mini | Gemini 2.5 Flash |
|---|---|---|---|
| **Agreement** | | | |
| Larch costs 190 euros less a pole | ✓ | ✓ | ✓ |
| Both bear the wind of the quay | ✓ | ✓ | ✓ |
| **Dispute** | | | |
| Larch stands 25 years without paint, even where the spray of winter storms reaches it | ✗ | ✓ | ✓ |
| A steel pole can be moved later | ✗ | ✓ | – |
| **Only one says** | | | |
| The city repaints steel at its own cost | – | – | ✓ |

The dispute about 25 years is decided by the splash zone: ask for the offer with *impregnated* feet.`,
  citations: [],
  tool_rounds: [
    round({
      tool: "multiModelSynthesis",
      arguments: JSON.stringify({ question: "Larch or steel for poles of 4.5 m on a quay?" }),
      parts: [
        subAnswer({
          title: "Claude Sonnet 4.5",
          model_id: SONNET,
          text: "Larch, unless the feet stand in spray. Steel is the safer foot, and larch the better pole.",
          cost: 0.0412,
          duration_ms: 18_200,
        }),
        subAnswer({
          title: "GPT-5 mini",
          model_id: GPT,
          text: "Larch. It is cheaper, lighter to mount and ages well.\n\n- 420 euros\n- 38 kg",
          cost: 0.0087,
          duration_ms: 11_000,
        }),
        subAnswer({
          title: "Gemini 2.5 Flash",
          model_id: GEMINI,
          text: "Larch now, steel only where lorries turn.",
          cost: 0.0011,
          duration_ms: 8_700,
        }),
        subAnswer({
          title: "Llama 4 Maverick",
          model_id: "meta-llama/llama-4-maverick",
          text: "It did not answer in time.",
          status: "failed",
        }),
      ],
      cost: 0.051,
      duration_ms: 18_400,
    }),
  ],
};

const PAGES = ["hamburg.example/history", "oldtown.example/fire-of-1842", "firebrigade.example/1842"].map((page) => ({
  url: `https://${page}`,
  title: page,
  error: null,
}));
const DRAFT =
  "The great fire of 1842 burned from 5 to 8 May. It took 51 lives and destroyed a third of the city. The town hall burned down.";
const CRITIQUE = `## Claims

- **Holds**: It burned from 5 to 8 May 1842. — Two independent sources give the same dates [1].
- **Holds**: 51 people lost their lives. — The figure is stable since the first official report [1].
- **Imprecise**: A third of the city was destroyed. — A third of the buildings of the old town, not of the city [2].
- **Wrong**: The town hall burned down. — It was blown up on 6 May to stop the fire [3].
- **No evidence**: All records from before 1700 were lost. — Nothing was found for it or against it.

## Doubts

The number of the homeless differs by source.`;
const CHANGES = "## What changed\n\n- A third of the old town's buildings, not of the city.\n- The town hall was blown up.";

/** An answer that was drafted, checked by another model and refined. */
export const CHECKED: Several = {
  title: "Newsletter, the fire of 1842",
  question: "Write two sentences on the Hamburg fire of 1842 for the newsletter. They have to be right.",
  content:
    "The great fire of 1842 burned from 5 to 8 May. It took 51 lives and destroyed a third of the buildings of the old town [2]. The town hall was blown up on 6 May to stop the flames [3].\n\n**Still uncertain:** how many records were lost. The sentence about them is left out.",
  citations: PAGES.map(({ url, title }) => ({ url, title })),
  tool_rounds: [
    round({
      tool: "truthSeekDraft",
      arguments: JSON.stringify({ question: "The fire" }),
      parts: [subAnswer({ id: "draft", title: "Draft", model_id: SONNET, text: DRAFT, cost: 0.0038, duration_ms: 4_100 })],
      cost: 0.0038,
      duration_ms: 4_100,
    }),
    round({
      tool: "truthSeekCritique",
      arguments: JSON.stringify({ question: "The fire", draft: DRAFT }),
      parts: [subAnswer({ id: "critique", title: "Critique", model_id: GEMINI, text: CRITIQUE, cost: 0.0164, duration_ms: 11_600 })],
      sources: PAGES,
      cost: 0.0214,
      duration_ms: 13_600,
    }),
    round({
      tool: "truthSeekRefine",
      arguments: JSON.stringify({ question: "The fire", draft: DRAFT, critique: CRITIQUE }),
      parts: [subAnswer({ id: "refine", title: "Refined", model_id: SONNET, text: CHANGES, cost: 0.0035, duration_ms: 3_300 })],
      cost: 0.0035,
      duration_ms: 3_300,
    }),
  ],
};

function subAnswer(part: Partial<Part>): Part {
  return { id: part.title ?? "", title: "", model_id: null, text: "", status: "done", cost: null, ...part };
}

function round(call: Partial<Call>): Round {
  const synthesisCall: Call = {
    tool: "",
    arguments: "{}",
    edited_input: null,
    status: "done",
    decision: null,
    at: 0,
    output: "Done.",
    sources: [],
    images: [],
    parts: [],
    cost: null,
    duration_ms: null,
    ...call,
  };
  return { text_end: 0, reasoning_end: 0, reasoning_ms: 0, usage: null, calls: [synthesisCall] };
}
