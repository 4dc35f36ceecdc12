/** Of a question so many characters say what is asked. */
export const QUESTION_LENGTH = 2_000;

/** What a whole is called: a word that stands for it, or a document with at most two words before it, as in `the new price list`. */
const DOCUMENT_NOUNS = {
  en: "(?:this|these|it|they|them|that|everything|all(?: of)?(?: (?:this|these|it|them|that))?|(?:(?:all|both|each|of|this|these|the|my|our|your) )+(?:[^ ]+ ){0,2}(?:files?|documents?|docs?|tables?|texts?|pdfs?|(?:spread)?sheets?|reports?|papers?|books?|manuals?|contracts?|notes|knowledge))",
  de: "(?:das|dies|es|alles|das alles|(?:der|die|das|den|dem|des|dieser?|dieses|diesem|diesen|meine[mnrs]?|alle|ganze[mnrs]?) (?:[^ ]+ ){0,2}(?:datei(?:en)?|dokument(?:en?|s)?|text(?:en?|s)?|pdfs?|tabellen?|bericht(?:en?|s)?|buch|bücher|handbuch|vertrag|verträge|notizen|wissen))",
  fr: "(?:ça|cela|ceci|tout(?: (?:ça|cela))?|(?:(?:l[ae']|les|c[e]t(?:te)?|ce|ces|du|des|mon|mes) ?)(?:[^ ]+ ){0,2}(?:fichiers?|documents?|textes?|pdf|tableaux?|rapports?|livres?|contrats?|notes))",
  es: "(?:esto|eso|todo(?: esto)?|(?:el|la|los|las|este|esta|estos|estas|del|mi|mis) (?:[^ ]+ ){0,2}(?:archivos?|documentos?|textos?|pdf|tablas?|informes?|libros?|contratos?|notas))",
} as const;

const POLITE =
  "(?:(?:please|can|could|would|you|give|show|write|make|create|i|me|us|need|want|like|to|have|a|an|the|just|now|what|whats|what's|which|list|is|are|short|brief|quick|concise|detailed|long|full) )*";
const ASPECTS =
  "(?:summary|summaries|overview|outline|gist|tl;?dr|(?:(?:main|key|most important|central) (?:points?|ideas?|topics?|themes?|takeaways?|findings?|messages?)))";
/** What may follow, a few times, as what is asked for `in` three words may hold another one: its wanted length or form, or what else is asked. */
const FORM =
  "(?: (?:please|briefly|shortly|quickly|again|now|for (?:me|us)|as (?:an? )?(?:[^ ]+ )?(?:list|table|bullets?|points|text)|in (?:[^ ]+ ){0,3}(?:words?|sentences?|points?|lines?|bullets?|paragraphs?|english|german|french|spanish|brief|short|detail))){0,4}(?: and .*)?";

/** What asks for a whole, and not for something in it: each of these is all that a sentence says. */
const ENTIRE_TEXT_PATTERNS = [
  `${POLITE}(?:summari[sz]e|sum up|recap|outline)(?: ${DOCUMENT_NOUNS.en})?(?: up)?${FORM}`,
  `${POLITE}describe ${DOCUMENT_NOUNS.en}${FORM}`,
  `${POLITE}${ASPECTS}(?: (?:of|from|in|about) ${DOCUMENT_NOUNS.en})?${FORM}`,
  `what(?:'s|s| is| are)? ${DOCUMENT_NOUNS.en}(?: all)? (?:about|for)${FORM}`,
  `what(?:'s|s| is) in ${DOCUMENT_NOUNS.en}${FORM}`,
  `what (?:does|do) ${DOCUMENT_NOUNS.en} (?:say|contain|cover)${FORM}`,
  `(?:(?:bitte|kannst du|könntest du|mir) )*fasse?(?: (?:bitte|mir|uns))* ${DOCUMENT_NOUNS.de}(?: (?:bitte|kurz|knapp|in [^ ]+ [^ ]+))* zusammen`,
  `(?:(?:bitte|kannst|könntest|du|mir|uns) )*${DOCUMENT_NOUNS.de}(?: (?:bitte|kurz|knapp))* zusammenfassen`,
  `(?:[^ ]+ ){0,4}(?:zusammenfassung|überblick)(?: (?:von|über|zu))?(?: ${DOCUMENT_NOUNS.de})?`,
  `worum geht(?:'s| es)(?: (?:hier|da|dabei|darin|in ${DOCUMENT_NOUNS.de}))?`,
  `was steht (?:hier|da|darin|drin|in ${DOCUMENT_NOUNS.de})(?: drin)?`,
  `(?:(?:peux-tu|pouvez-vous|me|nous) )*résum(?:e|er|ez)(?:-moi)?(?: ${DOCUMENT_NOUNS.fr})?`,
  `(?:[^ ]+ ){0,4}résumé(?: (?:de )?${DOCUMENT_NOUNS.fr})?`,
  `de quoi (?:parle(?:nt)?|s'agit-il|il s'agit|ça parle)(?: (?:dans )?${DOCUMENT_NOUNS.fr})?`,
  `(?:(?:puedes|por favor|me|nos) )*resum(?:e|en|ir|irme|eme)(?: ${DOCUMENT_NOUNS.es})?`,
  `(?:[^ ]+ ){0,4}resumen(?: (?:de )?${DOCUMENT_NOUNS.es})?`,
  `de qué (?:tratan?|van?)(?: ${DOCUMENT_NOUNS.es})?`,
].map((pattern) => new RegExp(`^(?:${pattern})$`, "u"));

export function isAboutEntireText(text: string): boolean {
  return text
    .slice(0, QUESTION_LENGTH)
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[.?!¿¡:\n]+/u)
    .map((sentence) => sentence.replaceAll(/[\s,"“”]+/gu, " ").trim())
    .some((sentence) => ENTIRE_TEXT_PATTERNS.some((pattern) => pattern.test(sentence)));
}
