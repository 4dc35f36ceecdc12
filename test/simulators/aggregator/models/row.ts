/** One model of the demonstration catalogue, said briefly; `build-model.ts` makes the wire's shape of it. */
export type ModelRow = {
  id: string;
  /** `Maker: Model`. */
  name: string;
  /** Input and output price in US dollars per 1M tokens; -1 where a router decides. */
  price: readonly [input: number, output: number];
  /** Tokens. */
  context: number;
  /** Longest answer in tokens. */
  output?: number;
  accepts?: readonly ("image" | "file" | "audio" | "video")[];
  /** What comes out, when it is not text. */
  produces?: "embeddings" | "transcription";
  tools?: boolean;
  /** `asked`: only when the request asks; `default`: unless the request forbids; `always`: mandatory. */
  reasoning?: "asked" | "default" | "always";
  /** ISO date of its release. */
  released: string;
  /** ISO date after which it goes. */
  expires?: string;
  description: string;
};
