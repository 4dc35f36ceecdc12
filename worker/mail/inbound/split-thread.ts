/** What a mail quotes or forwards, separated from what was newly written: by the lines that mail programs put before it. */

/** An earlier mail as a later one quotes it; what the quote does not say is empty. */
export type EarlierMail = { from: string; date: string; subject: string; to: string; text: string };

/** A mail's own words, all that follows them as it stands, and the mails in that, oldest first. */
export type MailThread = {
  text: string;
  rest: string | null;
  isForwarded: boolean;
  /** True where there are no own words: the text is then what it quotes. */
  isQuoteOnly: boolean;
  earlier: EarlierMail[];
};

/** Mails in one thread. */
const THREAD_LENGTH = 50;
/** Lines that are gone through for the mails of one thread: each of these goes through all that follow it. */
const THREAD_LINES = 1_000_000;
/** So much of a line may be a mark. */
const MARK_LENGTH = 2_000;
/** An attribution is folded over so many lines at most. */
const ATTRIBUTION_LINES = 4;
const ATTRIBUTION_LENGTH = 400;

/** `On Tue, Nov 3, 2026 at 10:00 AM Ann <ann@example.org> wrote:` as mail programs write it in their languages. */
const ATTRIBUTION =
  /^(?:On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu|På|På|Kuupäeval|Dnia|Vào)\s.{6,380}(?:wrote|schrieb(?:\s.{1,200})?|a écrit|escribió|ha scritto|schreef(?:\s.{1,200})?|escreveu|skrev(?:\s.{1,200})?|napsal\(a\)|pisze|napisał\(?a?\)?|đã viết)\s*:$/i;
const DATE_WROTE = /^\S.{0,200}<[^<>\s]+@[^<>\s]+>.{0,100}(?:于|在|のメール|님이).{0,120}[:：]$/;
const FORWARD =
  /^(?:-{2,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada|Vidarebefordrat meddelande|Přeposlaná zpráva|Original-Nachricht)[^-]{0,60}-{2,}|Begin forwarded message:|Anfang der weitergeleiteten (?:Nachricht|E-Mail):|Début du message (?:réexpédié|transféré)\s*:|Inicio del mensaje reenviado:|Inizio messaggio inoltrato:)$/i;
const ORIGINAL =
  /^-{3,}\s*(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d'origine|Message original|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original|Ursprungligt meddelande|Original-Nachricht)\s*-{3,}$/i;
const RULE = /^_{8,}$/;
const FIELD =
  /^\*?(From|Von|De|Da|Van|Från|Od|Date|Datum|Fecha|Data|Sent|Gesendet|Envoyé|Enviado(?: el)?|Inviato|Verzonden|Skickat|Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto|Ämne|To|An|À|Para|A|Aan|Till|Cc|Kopie|Reply-To)\s*:\*?\s*(.*)$/i;
const FROM = /^\*?(?:From|Von|De|Da|Van|Från|Od)\s*:\*?\s*\S/i;
const SENT = /^\*?(?:Date|Datum|Fecha|Data|Sent|Gesendet|Envoyé|Enviado(?: el)?|Inviato|Verzonden|Skickat)\s*:\*?\s*\S/i;

const FIELD_NAMES: [RegExp, keyof EarlierMail][] = [
  [/^(?:From|Von|De|Da|Van|Från|Od)$/i, "from"],
  [/^(?:Date|Datum|Fecha|Data|Sent|Gesendet|Envoyé|Enviado(?: el)?|Inviato|Verzonden|Skickat)$/i, "date"],
  [/^(?:Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto|Ämne)$/i, "subject"],
  [/^(?:To|An|À|Para|A|Aan|Till)$/i, "to"],
];

/** Where an earlier mail begins: the line of its mark, the line of its text, and what the mark says of it. */
type Cut = { at: number; next: number; isForward: boolean; isQuoted: boolean; headers: Omit<EarlierMail, "text"> };

const NO_HEADERS = { from: "", date: "", subject: "", to: "" };

/** Takes a mail's text apart, with so many earlier mails at most; what was answered between quoted lines stays whole. */
export function splitThread(text: string, most = THREAD_LENGTH): MailThread {
  const lines = text.split("\n");
  const cut = findCut(lines);
  if (!cut) return foldTail(lines, text);
  const isForwarded = cut.isForward;
  const after = lines.slice(cut.next);
  // Answers stand between the quoted lines: without these nobody understands them.
  if (cut.isQuoted && !isForwarded && hasAnswersBetween(after))
    return { text, rest: null, isForwarded: false, isQuoteOnly: false, earlier: [] };
  const own = lines.slice(0, cut.at).join("\n").trim();
  const earlier = earlierMails(cut, after, most);
  const rest = lines.slice(cut.at).join("\n").trim();
  if (own === "" && !isForwarded) return { text: text.trim(), rest: null, isForwarded: false, isQuoteOnly: true, earlier };
  return { text: own, rest, isForwarded, isQuoteOnly: false, earlier };
}

function earlierMails(first: Cut, after: string[], most: number): EarlierMail[] {
  const mails: EarlierMail[] = [];
  if (most === 0) return mails;
  let cut: Cut | null = first;
  let rest = unquote(after);
  let passed = rest.length;
  while (cut !== null && mails.length < most) {
    const next: Cut | null = passed > THREAD_LINES ? null : findCut(rest);
    passed += rest.length;
    mails.push({ ...cut.headers, text: rest.slice(0, next?.at).join("\n").trim() });
    rest = next ? unquote(rest.slice(next.next)) : [];
    cut = next;
  }
  return mails.toReversed();
}

/** A quote at the end that nothing introduces. */
function foldTail(lines: string[], text: string): MailThread {
  let at = lines.length;
  while (at > 0 && /^(?:>|\s*$)/.test(lines[at - 1] ?? "")) at -= 1;
  const tail = lines.slice(at).join("\n").trim();
  const own = lines.slice(0, at).join("\n").trim();
  const isQuoted = /^>/m.test(tail);
  if (own === "" || !isQuoted) return { text: text.trim(), rest: null, isForwarded: false, isQuoteOnly: isQuoted, earlier: [] };
  return { text: own, rest: tail, isForwarded: false, isQuoteOnly: false, earlier: [] };
}

function findCut(lines: readonly string[]): Cut | null {
  for (let at = 0; at < lines.length; at += 1) {
    const line = plain(lines[at]);
    if (line === "") continue;
    const attribution = attributionAt(lines, at);
    if (attribution) return attribution;
    const isForward = FORWARD.test(line);
    if (isForward || ORIGINAL.test(line) || RULE.test(line)) {
      const header = headerAt(lines, at + 1);
      if (header || isForward)
        return { at, next: header?.next ?? at + 1, isForward, isQuoted: false, headers: header?.headers ?? NO_HEADERS };
    }
    if (FROM.test(line)) {
      const header = headerAt(lines, at);
      if (header?.isComplete) return { at, next: header.next, isForward: false, isQuoted: false, headers: header.headers };
    }
  }
  return null;
}

function attributionAt(lines: readonly string[], at: number): Cut | null {
  let joinedLines = "";
  for (let count = 0; count < ATTRIBUTION_LINES; count += 1) {
    const line = plain(lines[at + count]);
    if (line === "" || joinedLines.length > ATTRIBUTION_LENGTH) return null;
    joinedLines = joinedLines === "" ? line : `${joinedLines} ${line}`;
    if (!/[:：]$/.test(line)) continue;
    if (!ATTRIBUTION.test(joinedLines) && !DATE_WROTE.test(joinedLines)) return null;
    const from = /(?:(?<![\p{L}\p{M}'".,-])[\p{L}\p{M}'".,-]+\s+){0,5}<[^<>\s@]+@[^<>\s]+>/u.exec(joinedLines)?.[0] ?? "";
    const headers = { ...NO_HEADERS, from: from.trim(), date: /\d[^<]{3,40}\d/.exec(joinedLines)?.[0] ?? "" };
    return { at, next: at + count + 1, isForward: false, isQuoted: true, headers };
  }
  return null;
}

/** The block of fields that some programs put before what they quote. */
function headerAt(
  lines: readonly string[],
  from: number,
): { next: number; isComplete: boolean; headers: Omit<EarlierMail, "text"> } | null {
  let at = from;
  while (at < from + 3 && plain(lines[at]) === "") at += 1;
  const block: string[] = [];
  const headers = { ...NO_HEADERS };
  for (; at < lines.length && block.length < 20; at += 1) {
    const line = plain(lines[at]);
    const [, name = "", value = ""] = FIELD.exec(line) ?? [];
    if (name === "" && (line === "" || block.length === 0)) break;
    block.push(line);
    const field = FIELD_NAMES.find(([form]) => form.test(name))?.[1];
    if (field !== undefined && field !== "text" && headers[field] === "") headers[field] = value.trim();
  }
  if (!block.some((line) => FROM.test(line))) return null;
  return { next: at, isComplete: block.some((line) => SENT.test(line)), headers };
}

/** A line without the marks of quoting and what is not seen. */
function plain(line: string | undefined): string {
  return (line ?? "")
    .slice(0, MARK_LENGTH)
    .replace(/^(?:>\s?)+/, "")
    .replaceAll(/[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, "")
    .trim();
}

function hasAnswersBetween(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => line.startsWith(">"));
  if (first === -1) return false;
  const last = lines.findLastIndex((line) => line.startsWith(">"));
  const signature = lines.findIndex((line, at) => at > first && /^-- ?$/.test(line));
  return lines.some(
    (line, at) => at > first && (at < last || signature === -1 || at < signature) && !line.startsWith(">") && line.trim() !== "",
  );
}

/** Takes one mark of quoting off where most lines have one. */
function unquote(lines: string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  const quoted = written.filter((line) => line.startsWith(">"));
  return quoted.length * 2 > written.length ? lines.map((line) => line.replace(/^> ?/, "")) : lines;
}
