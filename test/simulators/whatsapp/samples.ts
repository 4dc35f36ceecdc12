import { drawPicture } from "../fixed-web/picture.ts";

/** A voice note as the simulated transcription hears it: it says these words. */
export function voiceNote(words: string): Buffer {
  return Buffer.from(`OggS\nsay ${words.replaceAll("\n", " ")}\n`);
}

/** A voice note that somebody sends without choosing one. */
export const SHORT_VOICE_NOTE = voiceNote("What is on my list for today?");

/** A picture that somebody sends without choosing one. */
export const SMALL_PICTURE = drawPicture("a phone");
