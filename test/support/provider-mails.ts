/** Mails with the header blocks that large mail services write, in their order, and what each of them signs. */
import type { Signing } from "#test/simulators/smtp/sign-mail.ts";

type Written = { from: string; to: string; cc?: string; subject: string; text: string };
export type ProviderMail = { own: string; signings: Partial<Signing>[] };

const BOUNDARY = "000000000000a1b2c3";
const DATE = "Sat, 28 Nov 2026 10:00:00 +0000";
const seconds = () => Math.floor(Date.now() / 1000);
const copies = (cc: string | undefined) => (cc === undefined ? [] : [`Cc: ${cc}`]);

function alternatives(text: string): string {
  return [
    `--${BOUNDARY}`,
    'Content-Type: text/plain; charset="UTF-8"',
    "",
    text,
    "",
    `--${BOUNDARY}`,
    'Content-Type: text/html; charset="UTF-8"',
    "",
    `<div dir="ltr">${text}</div>`,
    "",
    `--${BOUNDARY}--`,
    "",
  ].join("\r\n");
}

const MULTIPART = `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`;

function joined(fields: string[], body: string): string {
  return `${fields.join("\r\n")}\r\n\r\n${body}`;
}

/** By the domain of its users' addresses. */
export const PROVIDERS: Record<string, (written: Written) => ProviderMail> = {
  "gmail.com": ({ from, to, cc, subject, text }) => ({
    own: joined(
      [
        "X-Google-DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n        d=1e100.net; s=20230601; t=1795860000; x=1796464800;\r\n        h=to:subject:message-id:date:from:mime-version:x-gm-gg\r\n         :x-gm-message-state:from:to:cc:subject:date:message-id:reply-to;\r\n        bh=abc=; b=abc",
        "X-Gm-Message-State: AOJu0YxAbC\r\n\tDeF+gHi=",
        "X-Gm-Gg: ASbGncuAbC\r\n\tDeF",
        "X-Google-Smtp-Source: AGHT+IEabc",
        "X-Received: by 2002:a17:907:3e8b:b0:b6d:5df7:3490 with SMTP id\r\n hs11-20020a1709073e8b00b00b6d5df73490mr1163456ejc.3.1795860000000;\r\n Sat, 28 Nov 2026 02:00:00 -0800 (PST)",
        "MIME-Version: 1.0",
        `From: Ann Owner <${from}>`,
        `Date: ${DATE}`,
        "X-Gm-Features: AWmQ_bnabc",
        `Message-ID: <CA+${crypto.randomUUID()}@mail.gmail.com>`,
        `Subject: ${subject}`,
        `To: ${to}`,
        ...copies(cc),
        MULTIPART,
      ],
      alternatives(text),
    ),
    signings: [
      {
        selector: "20230601",
        tags: `t=${seconds()}; x=${seconds() + 604_800}; darn=chats.localhost;`,
        fields: `${cc === undefined ? "" : "cc:"}to:subject:message-id:date:from:mime-version:from:to:cc:subject\r\n         :date:message-id:reply-to`,
      },
    ],
  }),

  // Neither To nor Cc is signed here.
  "outlook.com": ({ from, to, cc, subject, text }) => ({
    own: joined(
      [
        "Received: from AS8P190MB1234.EURP190.PROD.OUTLOOK.COM (2603:10a6:20b:3c4::12)\r\n by DB9P190MB5678.EURP190.PROD.OUTLOOK.COM (2603:10a6:10:2f1::7) with Microsoft\r\n SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id\r\n 15.20.9366.12; Sat, 28 Nov 2026 10:00:00 +0000",
        `From: Ann Owner <${from}>`,
        `To: "${to}" <${to}>`,
        ...copies(cc),
        `Subject: ${subject}`,
        "Thread-Topic: Proof",
        "Thread-Index: AQHcXabc==",
        `Date: ${DATE}`,
        `Message-ID:\r\n <${crypto.randomUUID()}@AS8P190MB1234.EURP190.PROD.OUTLOOK.COM>`,
        "Accept-Language: en-GB, en-US",
        "Content-Language: en-GB",
        "X-MS-Has-Attach:",
        "X-MS-TNEF-Correlator:",
        "x-ms-publictraffictype: Email",
        "X-MS-Exchange-SenderADCheck: 1",
        `x-microsoft-antispam-message-info:\r\n =?us-ascii?Q?${"ab=2Bc".repeat(60)}?=`,
        `Content-Type: multipart/alternative;\r\n\tboundary="${BOUNDARY}"`,
        "MIME-Version: 1.0",
        "X-OriginatorOrg: outlook.com",
        "X-MS-Exchange-Transport-CrossTenantHeadersStamped: AS8P190MB1234",
      ],
      alternatives(text),
    ),
    signings: [{ selector: "selector1", fields: "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck" }],
  }),

  "icloud.com": ({ from, to, cc, subject, text }) => ({
    own: joined(
      [
        "Received: from outbound.mr.icloud.com (unknown [127.0.0.2])\r\n\tby p00-icloudmta-asmtp-us-east-1a-20-percent-0 (Postfix) with ESMTPS id 0ABC\r\n\tfor <chat@chats.localhost>; Sat, 28 Nov 2026 10:00:00 +0000 (UTC)",
        "x-icloud-hme:",
        `Content-Type: text/plain;\r\n\tcharset=us-ascii`,
        "Content-Transfer-Encoding: 7bit",
        `From: Ann Owner <${from}>`,
        "Mime-Version: 1.0 (1.0)",
        `Date: ${DATE}`,
        `Subject: ${subject}`,
        `Message-Id: <${crypto.randomUUID()}@icloud.com>`,
        ...copies(cc),
        `To: ${to}`,
        "X-Mailer: iPhone Mail (23A340)",
      ],
      `${text}\r\n\r\nSent from my iPhone`,
    ),
    signings: [
      {
        selector: "1a1hai",
        tags: `t=${seconds()}; x=${seconds() + 2_592_000};`,
        fields: "x-icloud-hme:From:Content-Type:Mime-Version:Date:Subject:Message-Id:To",
      },
    ],
  }),

  "fastmail.com": ({ from, to, cc, subject, text }) => {
    const fields =
      "cc:content-transfer-encoding:content-type:content-type:date:date\r\n\t:feedback-id:feedback-id:from:from:in-reply-to:in-reply-to\r\n\t:message-id:mime-version:reply-to:subject:subject:to:to\r\n\t:x-me-proxy:x-me-sender:x-me-sender:x-sasl-enc";
    const tags = `t=${seconds()}; x=${seconds() + 86_400};`;
    return {
      own: joined(
        [
          "X-ME-Sender: <xms:abc_def>",
          "X-ME-Received: <xmr:abc_def>",
          "X-ME-Proxy-Cause: gggruggvucftvghtrhhoucdtuddrfeeg",
          "X-ME-Proxy: <xmx:abc_def>",
          "Feedback-ID: i1234abcd:Fastmail",
          "Received: by mailuser.internal (Postfix, from userid 501)\r\n\tid 0ABC; Sat, 28 Nov 2026 05:00:00 -0500 (EST)",
          "X-Mailer: MessagingEngine.com Webmail Interface",
          "MIME-Version: 1.0",
          `Date: ${DATE}`,
          `From: "Ann Owner" <${from}>`,
          `To: ${to}`,
          ...copies(cc),
          `Message-Id: <${crypto.randomUUID()}@app.fastmail.com>`,
          `Subject: ${subject}`,
          "Content-Type: text/plain",
          "Content-Transfer-Encoding: 7bit",
        ],
        `${text}\r\n`,
      ),
      signings: [
        { selector: "fm3", fields, tags },
        { domain: "messagingengine.com", selector: "fm3", fields, tags },
      ],
    };
  },

  // A domain of somebody's own whose mail goes out by SES.
  "shop.example": ({ from, to, cc, subject, text }) => {
    const fields = "From:To:Cc:Subject:MIME-Version:Content-Type:Message-ID:Date";
    const tags = `t=${seconds()};`;
    return {
      own: joined(
        [
          `From: Ann Owner <${from}>`,
          `To: ${to}`,
          ...copies(cc),
          `Subject: ${subject}`,
          "MIME-Version: 1.0",
          `Content-Type: multipart/alternative; \r\n\tboundary="${BOUNDARY}"`,
          `Message-ID: <0102019a${crypto.randomUUID()}-000000@eu-west-1.amazonses.com>`,
          `Date: ${DATE}`,
          "Feedback-ID: ::1.eu-west-1.abc=:AmazonSES",
          "X-SES-Outgoing: 2026.11.28-54.240.7.12",
        ],
        alternatives(text),
      ),
      signings: [
        { selector: "7v7vs6w47njt4pimodk5mmttbegzsi6n", fields, tags, canonicalization: "relaxed/simple" },
        {
          domain: "amazonses.com",
          selector: "224i4yxa5dv7c2xz3womw6peuasteono",
          fields: `${fields}:Feedback-ID`,
          tags,
          canonicalization: "relaxed/simple",
        },
      ],
    };
  },
};
