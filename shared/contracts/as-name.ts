import * as z from "zod/mini";
import { isBlank, plainName } from "#shared/shown-text.ts";

/** Keeps a name as `plainName` has it: what shows nothing is empty. */
export const asName = z.overwrite<string>(plainName);

/** Refuses, in these words, a text in which nothing is seen. */
export const someText = (problem: string) => z.refine<string>((text) => !isBlank(text), problem);
