const RATE = 8_000;
const SYLLABLE_S = 0.19;

/** A recording that can be played, and that the simulated transcription hears these words in: a murmur as long as saying them takes. */
export function spoken(words: string): Uint8Array {
  const syllables = Math.max(3, Math.round(words.length / 3));
  const sound = new Uint8Array(Math.round(syllables * SYLLABLE_S * RATE));
  for (let at = 0; at < sound.length; at += 1) {
    const time = at / RATE;
    const within = (time % SYLLABLE_S) / SYLLABLE_S;
    const pitch = 130 + 34 * Math.sin(Math.floor(time / SYLLABLE_S) * 1.7);
    sound[at] = 128 + Math.round(46 * Math.sin(Math.PI * within) * Math.sin(2 * Math.PI * pitch * time));
  }
  const noteText = new TextEncoder().encode(`\nsay ${words.replaceAll("\n", " ")}\n`);
  const format = new Uint8Array(16);
  const fields = new DataView(format.buffer);
  fields.setUint16(0, 1, true);
  fields.setUint16(2, 1, true);
  fields.setUint32(4, RATE, true);
  fields.setUint32(8, RATE, true);
  fields.setUint16(12, 1, true);
  fields.setUint16(14, 8, true);
  return chunk("RIFF", concat([ascii("WAVE"), chunk("fmt ", format), chunk("data", sound), chunk("note", noteText)]));
}

/** A picture that nobody has to look for: a landscape of a few shapes. */
export async function landscape(): Promise<File> {
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 420;
  const context = canvas.getContext("2d");
  if (context) {
    const sky = context.createLinearGradient(0, 0, 0, 420);
    sky.addColorStop(0, "#9cc8e6");
    sky.addColorStop(1, "#fbe7c8");
    context.fillStyle = sky;
    context.fillRect(0, 0, 640, 420);
    context.fillStyle = "#f6b94d";
    context.beginPath();
    context.arc(470, 150, 46, 0, Math.PI * 2);
    context.fill();
    for (const [colour, top] of [
      ["#6f9a7e", 250],
      ["#3d6f58", 320],
    ] as const) {
      context.fillStyle = colour;
      context.beginPath();
      context.moveTo(0, 420);
      for (let x = 0; x <= 640; x += 20) context.lineTo(x, top + 34 * Math.sin(x / 70 + top));
      context.lineTo(640, 420);
      context.fill();
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File(blob ? [blob] : [], "hills.png", { type: "image/png" });
}

/** A short document. */
export function minutes(): File {
  const text = "Minutes of Monday\n\n- The launch moves to 12 May.\n- Ada writes the announcement.\n- The budget stays at 4,800 dollars.\n";
  return new File([text], "minutes.txt", { type: "text/plain" });
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, body.length, true);
  return concat([ascii(name), size, body, ...(body.length % 2 === 1 ? [new Uint8Array(1)] : [])]);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concat(parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
