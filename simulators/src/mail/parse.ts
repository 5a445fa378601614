// Parses a mail as far as a test or a person needs it: headers, the plain text, the HTML. Not a general parser: it knows
// flat multiparts, quoted-printable, base64 and encoded words, which is what ordinary senders write.
export type ParsedMail = {
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/i.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [{ headers, body }] : partsOf(body, boundary);
  const find = (type: string) => {
    const part = parts.find((each) => (each.headers['content-type'] ?? 'text/plain').toLowerCase().startsWith(type));
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding']) : '';
  };
  return { headers, subject: decodeWords(headers['subject'] ?? ''), text: find('text/plain'), html: find('text/html') };
}

type Part = { readonly headers: Record<string, string>; readonly body: string };

function split(raw: string): Part {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/);
  // A line that begins with white space continues the previous one.
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const headers = lines.flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const];
  });
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

function partsOf(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r?\n/, '').replace(/\r?\n$/, '')));
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  return /^quoted-printable$/i.test(encoding) ? decodeQuoted(body.replaceAll(/=\r?\n/g, '')) : body;
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}
