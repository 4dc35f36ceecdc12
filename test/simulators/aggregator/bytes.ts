const WORDS =
  "river stone lantern orchard harbour winter copper meadow signal thread garden window market bridge valley candle forest letter mirror island".split(
    " ",
  );

/** A small generator of numbers (mulberry32), the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function sectionOf(number: number): string {
  const next = numbersFrom(number + 1);
  const word = () => WORDS[Math.floor(next() * WORDS.length)] ?? "stone";
  const sentence = () => {
    const joined = Array.from({ length: 8 + Math.floor(next() * 8) }, word).join(" ");
    return `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.`;
  };
  const paragraph = Array.from({ length: 4 }, sentence).join(" ");
  const blocks = [
    () => `- **${word()}** ${sentence()}\n- ${word()} and \`${word()}\`\n- ${sentence()}`,
    () =>
      `| Item | Count | Share |\n|---|---:|---:|\n| ${word()} | ${Math.floor(next() * 900)} | ${Math.floor(next() * 100)} % |\n| ${word()} | ${Math.floor(next() * 900)} | ${Math.floor(next() * 100)} % |`,
    () => `\`\`\`ts\nexport function ${word()}(count: number): string {\n  return "${word()}".repeat(count + ${number});\n}\n\`\`\``,
    () => `> ${sentence()} *${sentence()}*`,
  ];
  const block = blocks[number % blocks.length];
  return `## ${number + 1}. ${word()} ${word()}\n\n${paragraph}\n\n${block ? block() : ""}\n\n`;
}

/** Markdown of exactly `length` characters, all ASCII (so as many bytes), the same every time; numbered sections show where a chunk is missing. */
export function markdownOfLength(length: number): string {
  const sections: string[] = [];
  for (let size = 0, number = 0; size < length; number += 1) {
    const section = sectionOf(number);
    sections.push(section);
    size += section.length;
  }
  return sections.join("").slice(0, length);
}

/** One paragraph of exactly `length` characters with emphasis and code within, the same every time. */
export function paragraphOfLength(length: number): string {
  const next = numbersFrom(1);
  const word = () => WORDS[Math.floor(next() * WORDS.length)] ?? "stone";
  let text = "";
  while (text.length < length) text += `${word()} ${word()} **${word()}** ${word()} ${word()}, \`${word()}\` ${word()}. `;
  return text.slice(0, length);
}

/** One fenced block of `count` lines of code, the same every time. */
export function codeOfLines(count: number): string {
  const next = numbersFrom(2);
  const word = () => WORDS[Math.floor(next() * WORDS.length)] ?? "stone";
  const line = (_: unknown, n: number) => `const ${word()}${n} = build("${word()}", { ${word()}: ${n}, kind: "${word()}" }); // ${word()}`;
  return `\`\`\`ts\n${Array.from({ length: count }, line).join("\n")}\n\`\`\`\n`;
}

/** The stamps in the text of a `stamp N` answer: each chunk's number and the time it was written, in epoch milliseconds. */
export function parseStamps(text: string): { number: number; at: number }[] {
  return Array.from(text.matchAll(/(\d+)@(\d+\.\d{3});/g), (match) => ({ number: Number(match[1]), at: Number(match[2]) }));
}

/** One chunk of a `stamp N` answer, stamped now. */
export function stampChunk(number: number): string {
  return `${number}@${(performance.timeOrigin + performance.now()).toFixed(3)};\n`;
}
