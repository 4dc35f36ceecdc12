import { ANN, base64, head, lines, multipart, type Shape, TEXT, utf8 } from "./shape.ts";

const FIELDS = ["Sent: Tuesday, November 3, 2026 10:00 AM", "To: Ann Lee <ann@example.org>", "Subject: Boat"];

function reply(program: string, after: string[], { text = "At noon then.", quoted = "Shall we meet?" } = {}): Shape {
  return { program, source: lines(head(), TEXT, "", utf8(text), "", ...after.map(utf8), ""), reads: { ...ANN, text, quoted } };
}

/** Answers, as programs put what they quote below or between them. */
export const REPLIES: Shape[] = [
  reply("Gmail", ["On Tue, Nov 3, 2026 at 10:00 AM Bob Ray <bob@example.org> wrote:", "", "> Shall we meet?", ">", "> Bob"]),
  reply("Gmail, its line folded", [
    "On Tue, Nov 3, 2026 at 10:00 AM Bob Ray with a very long name",
    "<bob@example.org> wrote:",
    "",
    "> Shall we meet?",
  ]),
  reply("Apple Mail", ["> On 3 Nov 2026, at 10:00, Bob Ray <bob@example.org> wrote:", "> ", "> Shall we meet?"]),
  reply("iPhone", ["> On Nov 3, 2026, at 10:00, Bob Ray <bob@example.org> wrote:", ">", "> Shall we meet?"], {
    text: "At noon then.\n\nSent from my iPhone",
  }),
  reply("Thunderbird", ["On 03/11/2026 10:00, Bob Ray wrote:", "> Shall we meet?"]),
  reply("Thunderbird in German", ["Am 03.11.26 um 10:00 schrieb Bob Ray:", "> Shall we meet?"]),
  reply("Gmail in French", ["Le mar. 3 nov. 2026 à 10:00, Bob Ray <bob@example.org> a écrit :", "", "> Shall we meet?"]),
  reply("Gmail in Spanish", ["El mar, 3 nov 2026 a las 10:00, Bob Ray (<bob@example.org>) escribió:", "", "> Shall we meet?"]),
  reply("Gmail in Italian", ["Il giorno mar 3 nov 2026 alle ore 10:00 Bob Ray <bob@example.org> ha scritto:", "", "> Shall we meet?"]),
  reply("Gmail in Dutch", ["Op di 3 nov 2026 om 10:00 schreef Bob Ray <bob@example.org>:", "", "> Shall we meet?"]),
  reply("Gmail in Portuguese", ["Em ter., 3 de nov. de 2026 às 10:00, Bob Ray <bob@example.org> escreveu:", "", "> Shall we meet?"]),
  reply("Gmail in Swedish", ["Den tis 3 nov. 2026 kl 10:00 skrev Bob Ray <bob@example.org>:", "", "> Shall we meet?"]),
  reply("Outlook", ["From: Bob Ray <bob@example.org>", ...FIELDS, "", "Shall we meet?"]),
  reply("Outlook on the web", ["________________________________", "From: Bob Ray <bob@example.org>", ...FIELDS, "", "Shall we meet?"]),
  reply("Outlook 2003", ["-----Original Message-----", "From: Bob Ray [mailto:bob@example.org]", ...FIELDS, "", "Shall we meet?"]),
  reply("Outlook in German", [
    "-----Ursprüngliche Nachricht-----",
    "Von: Bob Ray <bob@example.org>",
    "Gesendet: Dienstag, 3. November 2026 10:00",
    "An: Ann Lee <ann@example.org>",
    "Betreff: Boat",
    "",
    "Shall we meet?",
  ]),
  reply("mutt without a line of its own", ["> Shall we meet?", "> Bob"]),
  {
    program: "pine, answered between the lines",
    source: lines(head(), TEXT, "", "On Tue, 3 Nov 2026, Bob Ray wrote:", "> Shall we meet?", "Yes.", "> Where?", "At the pier.", ""),
    reads: { ...ANN, text: "On Tue, 3 Nov 2026, Bob Ray wrote:\n> Shall we meet?\nYes.\n> Where?\nAt the pier." },
  },
  {
    program: "Outlook, as HTML alone",
    source: lines(
      head(),
      "Content-Type: text/html; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      base64(
        '<html><head><style>p{margin:0}</style></head><body><p class="MsoNormal">At noon then.<o:p></o:p></p><div style="border:none"><p><b>From:</b> Bob Ray &lt;bob@example.org&gt;<br><b>Sent:</b> Tuesday, November 3, 2026 10:00 AM<br><b>To:</b> Ann Lee<br><b>Subject:</b> Boat</p></div><p>Shall we meet?</p></body></html>',
      ),
    ),
    reads: { ...ANN, text: "At noon then.", quoted: "Shall we meet?" },
  },
  {
    program: "Gmail, forwarding a thread",
    source: lines(
      head({ subject: "Fwd: Boat" }),
      multipart("alternative", "000000000000abc", [
        lines(
          TEXT,
          "",
          "See below.",
          "",
          "---------- Forwarded message ---------",
          "From: Bob Ray <bob@example.org>",
          "Date: Tue, Nov 3, 2026 at 10:00 AM",
          "Subject: Re: Boat",
          "To: Cem Kara <cem@example.org>",
          "",
          "At noon.",
          "",
          "On Mon, Nov 2, 2026 at 9:00 AM Cem Kara <cem@example.org> wrote:",
          "",
          "> Shall we meet?",
          "",
        ),
        lines("Content-Type: text/html; charset=utf-8", "", "<p>See below.</p>", ""),
      ]),
    ),
    reads: { ...ANN, subject: "Fwd: Boat", text: "See below.", earlier: ["Shall we meet?", "At noon."] },
  },
  {
    program: "Apple Mail, forwarding",
    source: lines(
      head({ subject: "Fwd: Boat" }),
      TEXT,
      "",
      "See below.",
      "",
      "> Begin forwarded message:",
      "> ",
      "> From: Bob Ray <bob@example.org>",
      "> Subject: Boat",
      "> Date: 3 November 2026 at 10:00:00 CET",
      "> To: Ann Lee <ann@example.org>",
      "> ",
      "> Shall we meet?",
      "",
    ),
    reads: { ...ANN, subject: "Fwd: Boat", text: "See below.", earlier: ["Shall we meet?"] },
  },
  {
    program: "Outlook, forwarding",
    source: lines(
      head({ subject: "FW: Boat" }),
      TEXT,
      "",
      "See below.",
      "",
      "From: Bob Ray <bob@example.org>",
      ...FIELDS,
      "",
      "Shall we meet?",
      "",
    ),
    reads: { ...ANN, subject: "FW: Boat", text: "See below.", earlier: ["Shall we meet?"] },
  },
  {
    program: "Thunderbird, forwarding as a file",
    source: lines(
      head({ subject: "Fwd: Boat" }),
      multipart("mixed", "------------0A1B", [
        lines(TEXT, "", "See below.", ""),
        lines(
          'Content-Type: message/rfc822; name="Boat.eml"',
          'Content-Disposition: attachment; filename="Boat.eml"',
          "",
          "From: Bob Ray <bob@example.org>",
          "Subject: Boat",
          "Date: Mon, 2 Nov 2026 10:00:00 +0100",
          "Message-ID: <2@example.org>",
          TEXT,
          "",
          "Shall we meet?",
          "",
        ),
      ]),
    ),
    reads: { ...ANN, subject: "Fwd: Boat", text: "See below.", earlier: ["Shall we meet?"] },
  },
];
