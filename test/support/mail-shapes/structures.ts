import { PLAIN_LINES } from "#worker/mail/inbound/mail-meter.ts";
import { ANN, base64, head, lines, multipart, type Shape, TEXT, utf8 } from "./shape.ts";

const HELLO = lines(TEXT, "", "Hello", "");
const HTML = lines("Content-Type: text/html; charset=utf-8", "", "<p>Hello <b>there</b></p>", "");

function file(fields: string[], content = "a,b"): string {
  return lines(...fields, "Content-Transfer-Encoding: base64", "", base64(content), "");
}

function shape(program: string, body: string, reads: Partial<Shape["reads"]> = {}): Shape {
  return { program, source: lines(head(), body), reads: { ...ANN, text: "Hello", ...reads } };
}

const CSV = ["Content-Type: text/csv; name=list.csv", 'Content-Disposition: attachment; filename="list.csv"'];

function forwarded(from: string, body: string): string {
  return lines("Content-Type: message/rfc822", "", `From: ${from}@example.org`, "Date: Mon, 2 Nov 2026 10:00:00 +0100", body);
}

const LONG_MAIL = base64(lines(head(), TEXT, "", "a\n".repeat(PLAIN_LINES + 1)));

/** How a mail's parts stand together. */
export const STRUCTURES: Shape[] = [
  shape("plain text and HTML", multipart("alternative", "=_alt", [HELLO, HTML])),
  shape("HTML alone", HTML, { text: "Hello there" }),
  shape("an empty text before HTML", multipart("alternative", "=_alt", [lines(TEXT, "", "", ""), HTML]), { text: "Hello there" }),
  shape("a text and a file", multipart("mixed", "b", [HELLO, file(CSV)]), { files: ["list.csv"] }),
  shape("both, the alternatives within", multipart("mixed", "b", [multipart("alternative", "c", [HELLO, HTML]), file(CSV)]), {
    files: ["list.csv"],
  }),
  shape(
    "Apple Mail, a picture between two texts",
    multipart("mixed", "b", [
      HELLO,
      file(["Content-Type: image/jpeg; name=a.jpg", "Content-Disposition: inline; filename=a.jpg"]),
      lines(TEXT, "", "Bye", ""),
    ]),
    { text: "Hello\n\n\nBye", files: ["a.jpg"] },
  ),
  shape(
    "Outlook, a logo within the HTML",
    multipart("related", "b", [
      multipart("alternative", "c", [HELLO, lines("Content-Type: text/html", "", '<p>Hello</p><img src="cid:logo@x">', "")]),
      file(["Content-Type: image/png; name=image001.png", "Content-ID: <logo@x>", "Content-Disposition: inline; filename=image001.png"]),
    ]),
    { files: [] },
  ),
  shape(
    "a name by RFC 2231",
    multipart("mixed", "b", [
      HELLO,
      file(["Content-Type: text/csv", "Content-Disposition: attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe.csv"]),
    ]),
    { files: ["Grüße.csv"] },
  ),
  shape(
    "a name by RFC 2231 in pieces",
    multipart("mixed", "b", [
      HELLO,
      file(["Content-Type: text/csv", "Content-Disposition: attachment;", ' filename*0="a long ";', ' filename*1="name.csv"']),
    ]),
    { files: ["a long name.csv"] },
  ),
  shape(
    "a name by RFC 2047, as Outlook writes it",
    multipart("mixed", "b", [
      HELLO,
      file(["Content-Type: text/csv", 'Content-Disposition: attachment; filename="=?utf-8?B?R3LDvMOfZS5jc3Y=?="']),
    ]),
    { files: ["Grüße.csv"] },
  ),
  shape("a name in its type alone", multipart("mixed", "b", [HELLO, file(['Content-Type: application/pdf; name="a.pdf"'])]), {
    files: ["a.pdf"],
  }),
  shape(
    "a file without a name",
    multipart("mixed", "b", [HELLO, file(["Content-Type: application/pdf", "Content-Disposition: attachment"])]),
    { files: [""] },
  ),
  shape(
    "a signed mail (RFC 8551)",
    multipart('signed; protocol="application/pkcs7-signature"; micalg=sha-256', "b", [
      HELLO,
      file(["Content-Type: application/pkcs7-signature; name=smime.p7s", "Content-Disposition: attachment; filename=smime.p7s"]),
    ]),
    {
      files: ["smime.p7s"],
    },
  ),
  shape(
    "an invitation (RFC 6047)",
    multipart("alternative", "b", [
      HELLO,
      lines('Content-Type: text/calendar; method=REQUEST; name="invite.ics"', "", "BEGIN:VCALENDAR", "END:VCALENDAR", ""),
    ]),
    {
      files: ["invite.ics"],
    },
  ),
  shape(
    "a preamble and an epilogue (RFC 2046)",
    multipart("mixed", "b", [HELLO]).replace("\r\n--b\r\n", "\r\nThis is a multi-part message in MIME format.\r\n--b\r\n") + "The end.\r\n",
  ),
  shape("a last boundary that is missing", multipart("mixed", "b", [HELLO, file(CSV)]).replace("--b--\r\n", ""), { files: ["list.csv"] }),
  shape("a boundary with signs", multipart("mixed", "=_b+(x)/:?", [HELLO])),
  shape("a list's footer as a part of its own", multipart("mixed", "b", [HELLO, lines(TEXT, "", "-- ", "The list", "")]), {
    text: "Hello\n\n\n--\nThe list",
  }),
  shape("files that are uuencoded nowhere but named so", lines(TEXT, "", "begin 644 a.txt", "end", ""), { text: "begin 644 a.txt\nend" }),
  { program: "a mail without a body", source: lines(head(), ""), reads: { ...ANN, text: "" } },
  shape(
    "a name over two lines in UTF-8",
    multipart("mixed", "b", [HELLO, file(["Content-Type: text/csv;", ` name="${utf8("Grüße.csv")}"`, "Content-Disposition: attachment"])]),
    { files: ["Grüße.csv"] },
  ),
  shape(
    "a name in raw 8-bit, in the charset of its text",
    multipart("mixed", "b", [
      lines('Content-Type: text/plain; charset="koi8-r"', "", "Hello", ""),
      file(["Content-Type: text/csv", 'Content-Disposition: attachment; filename="\xF0\xD2\xC9\xD7\xC5\xD4.csv"']),
    ]),
    { files: ["Привет.csv"] },
  ),
  shape(
    "a name in raw 8-bit whose charset nothing names",
    multipart("mixed", "b", [HELLO, file(["Content-Type: text/csv", 'Content-Disposition: attachment; filename="Gr\xFC\xDFe.csv"'])]),
    { files: ["Grüße.csv"] },
  ),
  shape(
    "files in a mail that was forwarded as a file, and in one within that",
    multipart("mixed", "b", [
      HELLO,
      forwarded(
        "Bob",
        multipart("mixed", "c", [
          lines(TEXT, "", "Look at these.", ""),
          file(CSV),
          forwarded(
            "Cid",
            multipart("mixed", "d", [lines(TEXT, "", "The first.", ""), file(['Content-Type: application/pdf; name="a.pdf"'])]),
          ),
        ]),
      ),
    ]),
    { files: ["list.csv", "a.pdf"], earlier: ["Look at these.", "The first."] },
  ),
  shape(
    "a forwarded mail that has too many lines to be read",
    multipart("mixed", "b", [
      HELLO,
      lines("Content-Type: message/rfc822; name=long.eml", "Content-Transfer-Encoding: base64", "", LONG_MAIL, ""),
    ]),
    { files: ["long.eml"] },
  ),
];
