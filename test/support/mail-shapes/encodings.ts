import { ANN, base64, head, lines, type Shape, TEXT, utf8 } from "./shape.ts";

function body(program: string, fields: string[], content: string, text: string): Shape {
  return { program, source: lines(head(), ...fields, "", content, ""), reads: { ...ANN, text } };
}

function named(program: string, from: string, subject: string, reads: { subject: string }): Shape {
  return {
    program,
    source: lines(head({ from, subject }), TEXT, "", "Hello", ""),
    reads: { ...ANN, text: "Hello", subject: reads.subject },
  };
}

const PLAIN = "Content-Type: text/plain";
const QUOTED = "Content-Transfer-Encoding: quoted-printable";

/** What characters are written in. */
export const ENCODINGS: Shape[] = [
  {
    program: "a program of 1982 (RFC 822)",
    source: lines("From: ann@example.org", "Subject: Boat", "", "Hello", ""),
    reads: { ...ANN, text: "Hello" },
  },
  {
    program: "sendmail, with bare line feeds",
    source: "From: ann@example.org\nSubject: Boat\n\nHello\nthere\n",
    reads: { ...ANN, text: "Hello\nthere" },
  },
  body(
    "quoted-printable in UTF-8",
    [`${PLAIN}; charset=utf-8`, QUOTED],
    "Gr=C3=BC=C3=9Fe aus K=C3=B6ln, und eine sehr =\r\nlange Zeile =F0=9F=9A=A4",
    "Grüße aus Köln, und eine sehr lange Zeile 🚤",
  ),
  body("quoted-printable in Latin-1", [`${PLAIN}; charset=ISO-8859-1`, QUOTED], "Gr=FC=DFe", "Grüße"),
  body(
    "8bit in Windows-1252",
    [`${PLAIN}; charset="windows-1252"`, "Content-Transfer-Encoding: 8bit"],
    "\x93Gr\xFC\xDFe\x94 \x80 5",
    "“Grüße” € 5",
  ),
  body("8bit in UTF-8", [`${PLAIN}; charset=utf-8`, "Content-Transfer-Encoding: 8bit"], utf8("Grüße 🚤"), "Grüße 🚤"),
  body("base64 in UTF-8", [`${PLAIN}; charset=utf-8`, "Content-Transfer-Encoding: base64"], base64("Grüße\nund mehr"), "Grüße\nund mehr"),
  body("Japanese in ISO-2022-JP", [`${PLAIN}; charset=ISO-2022-JP`], "\x1B$B$3$s$K$A$O\x1B(B", "こんにちは"),
  body("Japanese in Shift_JIS", [`${PLAIN}; charset=Shift_JIS`], "\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD", "こんにちは"),
  body("Chinese in GB2312", [`${PLAIN}; charset=GB2312`], "\xC4\xE3\xBA\xC3", "你好"),
  body("Russian in KOI8-R", [`${PLAIN}; charset=koi8-r`], "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет"),
  body("a character set that nobody knows", [`${PLAIN}; charset=x-unknown`], "Hello", "Hello"),
  body(
    "text that flows (RFC 3676)",
    [`${PLAIN}; charset=utf-8; format=flowed`],
    "A line that goes \r\non and on.\r\n\r\n-- \r\nAnn",
    "A line that goes on and on.\n\n--\nAnn",
  ),
  body(
    "upper-case fields with comments",
    ["CONTENT-TYPE: TEXT/PLAIN (plain); CHARSET=UTF-8", "CONTENT-TRANSFER-ENCODING: (old) 7BIT"],
    "Hello",
    "Hello",
  ),
  body("a zero byte within its text", [TEXT], "Hel\x00lo", "Hello"),
  named("a subject in base64 (RFC 2047)", "Ann Lee <ann@example.org>", "=?UTF-8?B?R3LDvMOfZSDwn5qk?=", { subject: "Grüße 🚤" }),
  named("a subject in quoted-printable over lines", "ann@example.org", "=?iso-8859-1?Q?Gr=FC=DFe_aus?=\r\n =?iso-8859-1?Q?_K=F6ln?=", {
    subject: "Grüße aus Köln",
  }),
  named("a subject in raw UTF-8 (RFC 6532)", "ann@example.org", utf8("Grüße"), { subject: "Grüße" }),
  named("a subject that is folded", '"Lee, Ann" <Ann@Example.org>', "Grüße".replaceAll(/[^\x20-\x7e]/g, "?") + "\r\n and more", {
    subject: "Gr??e and more",
  }),
  named("a sender in angle brackets with a comment", "(Ann) <ann@example.org> (Lee)", "Boat", { subject: "Boat" }),
];
