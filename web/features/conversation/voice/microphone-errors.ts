/** What to tell somebody whose microphone does not open. */
type Explanation = { title: string; description: string };

export const MICROPHONE_BLOCKED: Explanation = {
  title: "The microphone is blocked",
  description: "Allow it for this site in the browser's site settings, then try again.",
};

export const NO_MICROPHONE: Explanation = { title: "No microphone was found", description: "Connect one, then try again." };

/** By the names of https://w3c.github.io/mediacapture-main/#dom-mediadevices-getusermedia, and of what records. */
const EXPLANATIONS: Record<string, Explanation> = {
  NotAllowedError: MICROPHONE_BLOCKED,
  NotFoundError: NO_MICROPHONE,
  NotReadableError: {
    title: "The microphone cannot be used",
    description: "Another program may be using it. Close that, then try again.",
  },
  OverconstrainedError: {
    title: "No microphone for speech was found",
    description: "What is connected cannot record it. Connect another one, then try again.",
  },
  AbortError: {
    title: "The microphone did not start",
    description: "The device failed. Disconnect it, connect it again, then try again.",
  },
  SecurityError: {
    title: "The microphone is switched off",
    description: "This browser's own settings keep it from every site. Change that there, then try again.",
  },
  InvalidStateError: {
    title: "The microphone did not start",
    description: "This page was not in front. Try again.",
  },
  TypeError: {
    title: "The microphone cannot be used here",
    description: "Browsers offer it on secure addresses alone: open this site by https.",
  },
  NotSupportedError: {
    title: "This browser cannot record",
    description: "Its sound cannot be written down here. Try another browser.",
  },
};

/** Explains why no recording began, by the error's name: its text is the browser's own, in words and a language of its choice. */
export function explainMicrophone(error: unknown): Explanation {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return EXPLANATIONS[name] ?? { title: "The microphone did not start", description: "Try again, or use another browser." };
}
