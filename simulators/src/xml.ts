// As much XML as Albion needs: a writer of elements with attributes, and a reader for requests. No DTD, ever.
export type XmlNode = {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
};

export class XmlFault extends Error {}

type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** An attribute without a value is left out. */
export function element(name: string, attributes: Attributes = {}, content = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const TOKEN =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<!|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const DEPTH_MAX = 64;

type Open = { name: string; tag: string; attributes: Record<string, string>; children: XmlNode[]; text: string };

export function readXml(source: string): XmlNode {
  const root: Open = { name: '', tag: '', attributes: {}, children: [], text: '' };
  const stack: Open[] = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const from = TOKEN.lastIndex;
    const token = TOKEN.exec(source);
    if (!token || token[0] === '<!') throw new XmlFault(`not readable at character ${from}`);
    read(token, stack);
  }
  const [only] = root.children;
  if (stack.length !== 1 || root.children.length !== 1 || !only || root.text.trim())
    throw new XmlFault('not one whole element');
  return only;
}

function read(token: RegExpExecArray, stack: Open[]): void {
  const [, cdata, slash, tag, attributes = '', empty, text] = token;
  const top = stack.at(-1);
  if (!top) throw new XmlFault('an end without a beginning');
  if (cdata !== undefined) top.text += cdata;
  if (text !== undefined) top.text += unescapeXml(text);
  if (tag === undefined) return;
  if (slash === '/') {
    if (top.tag !== tag || stack.length === 1) throw new XmlFault(`</${tag}> does not fit`);
    stack.pop();
    stack.at(-1)?.children.push(top);
    return;
  }
  const opened: Open = { name: localName(tag), tag, attributes: readAttributes(attributes), children: [], text: '' };
  if (empty === '/') top.children.push(opened);
  else if (stack.push(opened) > DEPTH_MAX) throw new XmlFault('nested too deeply');
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      localName(name),
      unescapeXml(double ?? single ?? ''),
    ]),
  );
}

const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1);

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));|&/gi, (whole, hex, decimal, name) => {
    const character = hex ? point(Number.parseInt(hex, 16)) : decimal ? point(Number(decimal)) : NAMED[name ?? ''];
    if (character === undefined) throw new XmlFault(`unknown entity ${whole}`);
    return character;
  });
}

function point(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The first child of that name. */
export const childOf = (node: XmlNode | undefined, name: string) => node?.children.find((child) => child.name === name);
