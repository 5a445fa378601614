// Damages a bureau's reply in one of many ways: bytes, text, structure, values. Tests only.
import type { Random } from './random.ts';

export type Mutant = {
  readonly name: string;
  readonly bytes: Buffer;
  /** A planted whole account number, of which no more than four digits may ever leave. */
  readonly planted?: string;
};

type Mutate = (random: Random, text: string) => string | { readonly text: string; readonly planted: string };

const DEEP = 100;
const BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>';

/** Values that have broken readers before. */
const NASTY_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1e308',
  'NaN',
  'null',
  '99999999999999999999',
  '9223372036854775808',
  '-9223372036854775808',
  '0.1',
  '00000000',
  '31022020',
  '2021-02-30',
  '2020-13',
  '0000-00-00',
  '20200101T000000Z',
  '<script>alert(1)</script>',
  '&lt;b&gt;',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '\u0000\u0007',
  '\u202eDLRA',
  '\ufeff',
  'é'.repeat(300),
  'A'.repeat(5_000),
  "'; drop table reports; --",
  '٤٨٢١',
  '４８２１４８２１',
];

const NASTY_JSON = [
  ...NASTY_TEXTS.map((text) => JSON.stringify(text)),
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e400',
  '123456789012345678901234567890',
  '0.30000000000000004',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"isJoint":true}}',
  '['.repeat(DEEP) + ']'.repeat(DEEP),
];

const place = (random: Random, text: string) => random.below(text.length + 1);

function spliced(text: string, from: number, length: number, put: string): string {
  return text.slice(0, from) + put + text.slice(from + length);
}

/** Replaces one random match of a pattern. */
function replaceOne(random: Random, text: string, pattern: RegExp, put: (match: RegExpExecArray) => string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const match = random.pick(matches);
  return spliced(text, match.index, match[0].length, put(match));
}

const ANYWHERE: Readonly<Record<string, Mutate>> = {
  truncate: (random, text) => text.slice(0, place(random, text)),
  'cut out': (random, text) => spliced(text, place(random, text), 1 + random.below(200), ''),
  'repeat a stretch': (random, text) => {
    const from = place(random, text);
    return spliced(text, from, 0, text.slice(from, from + 1 + random.below(400)));
  },
  'exchange a sign': (random, text) =>
    spliced(text, place(random, text), 1, random.pick([...'<>"{}[],:&;=/\\0x-.\n\t\u0000é'])),
  'html instead': () => '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>',
  'html inside': (random, text) => spliced(text, place(random, text), 0, '<html><body>oops</body></html>'),
  'digits to digits': (random, text) => replaceOne(random, text, /\d{2,}/g, () => random.digits(1 + random.below(24))),
  'a huge number': (random, text) => replaceOne(random, text, /\d{2,}/g, () => '9'.repeat(400)),
  'a minus': (random, text) => replaceOne(random, text, /\d{2,}/g, ([digits]) => `-${digits}`),
  'another letter case': (random, text) => replaceOne(random, text, /[A-Z]{2,}/g, ([word]) => word.toLowerCase()),
  'nothing at all': () => '',
  'the whole twice': (_, text) => text + text,
};

const JSON_VALUE = /"(?:[^"\\]|\\.)*"(?=[,}\]])|(?<=:)(?:true|false|null|-?\d+)/g;
const JSON_MEMBER = /"(?:[^"\\]|\\.)*":(?:"(?:[^"\\]|\\.)*"|true|false|null|-?\d+),?/g;
const JSON_KEY = /"[A-Za-z0-9]+"(?=:)/g;
const JSON_NUMBER = /"(num|lastDigits)":("[^"]*"|null)/g;

const JSON_ONLY: Readonly<Record<string, Mutate>> = {
  'another value': (random, text) => replaceOne(random, text, JSON_VALUE, () => random.pick(NASTY_JSON)),
  'a member less': (random, text) => replaceOne(random, text, JSON_MEMBER, () => '').replaceAll(',}', '}'),
  'a member twice': (random, text) =>
    replaceOne(random, text, JSON_MEMBER, ([member]) =>
      member.endsWith(',') ? member + member : `${member},${member}`,
    ),
  'another key': (random, text) => replaceOne(random, text, JSON_KEY, () => JSON.stringify(`k${random.digits(3)}`)),
  'a section emptied by a second key': (random, text) =>
    `${text.slice(0, -1)},${random.pick(['"acc":[]', '"credit":{}', '"loc":[]', '"\\u0061cc":[]'])}}`,
  'another tree': (random, text) => mutateTree(random, text),
  'a whole account number': (random, text) => {
    const planted = random.digits(8 + random.below(12));
    const put = random.pick([planted, `*${planted}`, planted.replace(/(.{4})/g, '$1 ').trim(), `AGR${planted}`]);
    return { text: replaceOne(random, text, JSON_NUMBER, ([, key]) => `"${key}":${JSON.stringify(put)}`), planted };
  },
};

type Node = Record<string, unknown> | unknown[];

/** Deletes, doubles, empties or replaces something anywhere in the tree. */
function mutateTree(random: Random, text: string): string {
  const root = parsed(text);
  if (root === undefined) return text;
  const nodes: Node[] = [];
  collect(root, nodes);
  const node = random.pick(nodes);
  const keys = Object.keys(node);
  if (keys.length === 0) return text;
  const key = random.pick(keys);
  const nasty: unknown = JSON.parse(random.pick(NASTY_JSON));
  if (Array.isArray(node)) {
    const index = Number(key);
    node.splice(index, random.below(2), ...random.pick([[], [node[index]], [nasty], [node[index], node[index]]]));
  } else if (random.below(2) === 0) delete node[key];
  else node[key] = random.pick([nasty, [node[key]], { [key]: node[key] }, [], {}, null]);
  return JSON.stringify(root);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(value: unknown, nodes: Node[]): void {
  if (typeof value !== 'object' || value === null) return;
  nodes.push(value as Node);
  for (const child of Object.values(value)) collect(child, nodes);
}

const XML_ATTRIBUTE = / ([A-Za-z]+)="([^"]*)"/g;
const XML_ELEMENT = /<([a-z]+)((?: [^<>]*)?)\/>/g;
const XML_ACCOUNT = /<acct [\s\S]*?<\/acct>/g;
const XML_NUMBER = /<acct ([^<>]*?)(?: no="[^"]*")?( jnt=)/g;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\u0000', '');

const XML_ONLY: Readonly<Record<string, Mutate>> = {
  'another value': (random, text) =>
    replaceOne(random, text, XML_ATTRIBUTE, ([, name]) => ` ${name}="${escaped(random.pick(NASTY_TEXTS))}"`),
  'an attribute less': (random, text) => replaceOne(random, text, XML_ATTRIBUTE, () => ''),
  'an attribute twice': (random, text) =>
    replaceOne(random, text, XML_ATTRIBUTE, ([attribute]) => attribute + attribute),
  'another attribute name': (random, text) =>
    replaceOne(random, text, XML_ATTRIBUTE, ([, , value]) => ` zz${random.digits(2)}="${value}"`),
  'an element less': (random, text) => replaceOne(random, text, XML_ELEMENT, () => ''),
  'an element twice': (random, text) => replaceOne(random, text, XML_ELEMENT, ([element]) => element + element),
  'another element name': (random, text) =>
    replaceOne(random, text, XML_ELEMENT, ([, , attributes]) => `<zz${attributes}/>`),
  'an account twice': (random, text) => replaceOne(random, text, XML_ACCOUNT, ([account]) => account + account),
  'an account elsewhere': (random, text) => {
    const [account] = XML_ACCOUNT.exec(text) ?? [''];
    XML_ACCOUNT.lastIndex = 0;
    return text.replace(random.pick(['<foot>', '<outcome code="OK"/>', '</rpt:Enquiry>', '<accts>']), (tag) =>
      tag.startsWith('</') ? account + tag : tag + account,
    );
  },
  'accounts of a new name': (_, text) => text.replaceAll('<acct ', '<acct2 ').replaceAll('</acct>', '</acct2>'),
  'accounts of a new name elsewhere': (_, text) => {
    const accounts = text.match(XML_ACCOUNT)?.join('') ?? '';
    const others = accounts.replaceAll('<acct ', '<agr ').replaceAll('</acct>', '</agr>');
    return text.replaceAll(XML_ACCOUNT, '').replace('<foot>', `<agreements>${others}</agreements><foot>`);
  },
  'accounts in a group': (_, text) => text.replace('<accts>', '<accts><grp>').replace('</accts>', '</grp></accts>'),
  'a second accounts section': (random, text) =>
    text.replace('</accts>', `</accts>${random.pick(['<accts/>', '<accts></accts>'])}`),
  'a bomb': (random, text) =>
    text.replace('?>', `?>${BOMB}`).replace(/ orgName="[^"]*"/, ` orgName="${random.pick(['&c;', '&b;'])}"`),
  'a depth': (random, text) =>
    replaceOne(random, text, XML_ELEMENT, ([element]) => '<d>'.repeat(DEEP) + element + '</d>'.repeat(DEEP)),
  'a comment': (random, text) =>
    replaceOne(random, text, XML_ELEMENT, ([element]) => `<!--${element.replaceAll('-', '')}-->`),
  'a whole account number': (random, text) => {
    const planted = random.digits(8 + random.below(12));
    const put = random.pick([planted, `X${planted}`, planted.replace(/(.{4})/g, '$1-'), `AGR${planted}`]);
    return {
      text: replaceOne(random, text, XML_NUMBER, ([, head, tail]) => `<acct ${head} no="${put}"${tail}`),
      planted,
    };
  },
};

/** Damages a reply once or, one time in four, twice. */
export function mutate(random: Random, format: 'xml' | 'json', reply: Uint8Array): Mutant {
  // In one of ten, bytes that no text could contain.
  if (random.below(10) === 0) return flipBytes(random, reply);
  const mutations = { ...ANYWHERE, ...(format === 'xml' ? XML_ONLY : JSON_ONLY) };
  const names: string[] = [];
  const numbers: string[] = [];
  let text = Buffer.from(reply).toString('utf8');
  for (let count = random.below(4) === 0 ? 2 : 1; count > 0; count--) {
    const [name, change] = random.pick(Object.entries(mutations));
    const result = change(random, text);
    names.push(name);
    if (typeof result !== 'string') numbers.push(result.planted);
    text = typeof result === 'string' ? result : result.text;
  }
  const [planted] = numbers;
  return { name: names.join(' + '), bytes: Buffer.from(text), ...(planted !== undefined && { planted }) };
}

function flipBytes(random: Random, reply: Uint8Array): Mutant {
  const bytes = Buffer.from(reply);
  for (let count = 1 + random.below(4); count > 0; count--) {
    const index = random.below(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << random.below(8));
  }
  return { name: 'flipped bits', bytes };
}
