const answers = [
  (subject: string) => `There are two honest ways to begin with ${subject}, and they answer different questions.

**From the outside in.** Write down what would have to be true at the end, then walk backwards. It is slower for an hour and quicker for a month, because you notice early what you cannot know yet.

**From the inside out.** Take the smallest part you could finish today and finish it. You learn what the work is made of, and you have something to show.

A short test tells which one you need:

- Is the goal clear and the path not? Go *backwards*.
- Is the path clear and the goal not? Go *forwards*, and look up often.
  - Once a day is often enough.
  - Twice an hour is a way of not working.

> The map is drawn by those who come back.`,
  (subject: string) => `Three things are worth knowing about ${subject} before any opinion of it:

1. **What it costs to be wrong.** If little, decide now and correct later.
2. **Who has done it before.** Two conversations save a week of reading.
3. **What you would measure.** A number you look at every Friday beats a plan you look at once.

The second is the one people skip. It feels like asking for a favour; it is mostly giving somebody the chance to talk about what they know.

If you tell me which of the three is least clear, I can go into that one.`,
  (subject: string) => `Let me take ${subject} apart before putting it together again.

## What is settled

The parts that nobody argues about are usually larger than they look. List them first: they need no more of your time.

## What is open

| Question | If yes | If no |
|---|---|---|
| Does it have to last? | choose the dull way | choose the quick way |
| Will others work on it? | write it down | keep it in your head |
| Can it be undone? | try it today | sleep on it |

## What I would do

Answer the three questions in writing, in one line each, then start with whichever answer was hardest to write.`,
];

/** A short answer in prose about the prompt's subject, one of several by `variant`. */
export function proseAnswer(subject: string, variant: number): string {
  const answer = answers[variant % answers.length];
  return answer ? answer(subject) : "";
}
