// The frame of our mails. Pure. Mail readers support little HTML: tables, inline styles, nothing fetched. The one
// style sheet is for dark mode; readers that drop it show the mail in light colours.
import { escapeHtml } from '../../lib/rules/escape-html.ts';
import type { MailLink } from './mail-text.ts';

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const DARK = `@media (prefers-color-scheme: dark) {
.back { background: #0e1411 !important; }
.card { background: #161e1a !important; border-color: #2c3832 !important; }
.text { color: #e9f0ec !important; }
.quiet { color: #a9b8af !important; }
.brand, .plain { color: #4ade80 !important; }
.button { background: #4ade80 !important; color: #06210f !important; }
}`;

const paragraph = (sentence: string) =>
  `<p class="text" style="margin:0 0 16px;color:#17211b">${escapeHtml(sentence)}</p>`;

/** A button, and the address itself for readers that show no buttons. */
function linkHtml({ address, label }: MailLink): string {
  const href = escapeHtml(address);
  return `<p style="margin:0 0 16px"><a class="button" href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#15743a;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:14px;color:#4b5a51">If the button does not work, open this address:<br><a class="plain" href="${href}" style="color:#15743a;word-break:break-all">${href}</a></p>`;
}

export type MailParts = {
  readonly subject: string;
  readonly before: readonly string[];
  readonly link: MailLink | undefined;
  readonly after: readonly string[];
};

export function writeMailHtml({ subject, before, link, after }: MailParts): string {
  const body = [...before.map(paragraph), ...(link ? [linkHtml(link)] : []), ...after.map(paragraph)].join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="back" style="margin:0;padding:0;background:#f3f6f4">
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #d5ddd8;border-radius:14px;border-collapse:separate"><tr><td style="padding:24px;text-align:left;font-size:16px;line-height:1.5;${FONT}">
<p class="brand" style="margin:0 0 16px;font-weight:700;color:#15743a">Trefoil</p>
<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.3;color:#17211b;overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${body}
</td></tr></table>
</td></tr></table>
</main>
</body>
</html>
`;
}
