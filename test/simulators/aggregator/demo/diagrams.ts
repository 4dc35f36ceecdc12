const answers = [
  `### How a message travels

\`\`\`mermaid
flowchart LR
  You[You] -->|question| Room(Chat room)
  Room -->|history| Model{{Model}}
  Model -->|tokens| Room
  Room -->|stream| You
  Room --> Store[(Storage)]
\`\`\`

The room stands between you and the model: when you close the tab, it goes on listening, and the answer is there when you come back.`,
  `### Signing in with a mailed code

\`\`\`mermaid
sequenceDiagram
  participant P as Person
  participant S as Server
  participant M as Mail
  P->>S: my address
  S->>M: a code for ten minutes
  M-->>P: 6 digits
  P->>S: the digits
  S-->>P: a session
\`\`\`

Nothing secret passes by the address bar, and a code that leaks is worthless a few minutes later.`,
  `### The states of an answer

\`\`\`mermaid
stateDiagram-v2
  [*] --> accepted
  accepted --> streaming
  streaming --> done
  streaming --> stopped: you press Stop
  streaming --> failed: the provider fails
  streaming --> interrupted: the server restarts
  done --> [*]
\`\`\`

Only \`streaming\` can lead anywhere; every other state is where an answer rests.`,
];

/** A mermaid diagram with a remark, one of several by `variant`. */
export function diagramAnswer(variant: number): string {
  return answers[variant % answers.length] ?? "";
}
