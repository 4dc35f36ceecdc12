/** What a question's looks alone reveal. */
export type Question = {
  /** It holds or asks for code. */
  isCode: boolean;
  /** It takes some thought. */
  isHard: boolean;
  /** A line or two that nothing else is known of. */
  isLight: boolean;
  /** It asks for what no model can know by itself. */
  wantsWeb: boolean;
  /** It asks for several opinions. */
  wantsOpinions: boolean;
  /** It asks whether something is true. */
  wantsCheck: boolean;
};

const LONG_LENGTH = 1_200;
const SHORT_LENGTH = 160;

const CODE =
  /```|\b(?:code|function|class|refactor|debug|bug|stack ?trace|exception|compile|regex|sql|html|css|json|api|typescript|javascript|python|java|rust|golang|kotlin|swift|bash|docker|kubernetes|git|unit tests?)\b|[;{}]\s*$|=>|\b\w+\(\w*\)/im;
const HARD =
  /\b(?:prove|proof|derive|theorem|step by step|analy[sz]e|analysis|evaluate|trade-?offs?|strategy|plan|design|architecture|optimi[sz]e|compare|argue|essay|why does|why do|explain in (?:detail|depth)|legal|contract|diagnos\w*)\b|\$[^$\n]+\$|\\(?:frac|int|sum|begin)\b/i;
const WEB =
  /https?:\/\/|\b(?:today|yesterday|tonight|latest|newest|current|currently|recent|recently|news|weather|forecast|stock price|exchange rate|opening hours|this (?:week|month|year)|20(?:2[5-9]|3\d)|search (?:for|the web)|look up|online|sources?)\b/i;
const OPINIONS =
  /\b(?:second opinion|several (?:models|opinions)|different models|other models|multiple (?:models|opinions|perspectives)|what do (?:the )?models|where (?:they|models) (?:agree|differ))\b/i;
const CHECK =
  /\b(?:fact[- ]?check|verify|double[- ]?check|is it (?:really )?true|is that (?:really )?true|debunk|how (?:sure|certain) (?:is|are)|true or false)\b/i;

/** Reads a question by its looks: code, wording and length, without asking a model. */
export function readQuestion(text: string): Question {
  const isCode = CODE.test(text);
  const isHard = text.length > LONG_LENGTH || HARD.test(text);
  return {
    isCode,
    isHard,
    isLight: text.length <= SHORT_LENGTH && !isCode && !isHard,
    wantsWeb: WEB.test(text),
    wantsOpinions: OPINIONS.test(text),
    wantsCheck: CHECK.test(text),
  };
}
