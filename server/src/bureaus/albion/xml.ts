// XML from outside as a small tree: well-formed or nothing, no document type (so no entities of the sender's making),
// bounded in depth and in elements. Text between elements is not kept: Albion says everything in attributes.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { readUtf8 } from '../../lib/utf8.ts';
import { BureauFault, unintelligible } from '../bureau-fault.ts';

const DEPTH_MAX = 64;
/** Twice what the largest file that is read would have (file-limits.ts), and soon reached by one that is not. */
const ELEMENTS_MAX = 30_000;
/** Of one element. */
const ATTRIBUTES_MAX = 100;

export type XmlElement = {
  /** `uri|local` for a name with a namespace, else the bare name. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
};

type Growing = { name: string; attributes: Map<string, string>; children: Growing[] };

export function parseXml(bytes: Uint8Array): XmlElement {
  const text = readUtf8(bytes);
  const open: Growing[] = [];
  let root: Growing | undefined;
  let elements = 0;
  let attributes = 0;
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') unintelligible('not UTF-8');
  });
  parser.on('doctype', () => unintelligible('a document type'));
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > ATTRIBUTES_MAX) unintelligible('too many attributes');
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    const element = toElement(tag);
    elements += 1;
    if (elements > ELEMENTS_MAX) unintelligible('too many elements');
    if (open.length >= DEPTH_MAX) unintelligible('nested too deep');
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', () => unintelligible('not well-formed XML'));
  try {
    parser.write(text).close();
  } catch (error) {
    // The parser's own message may quote the text: only ours leaves.
    if (error instanceof BureauFault) throw error;
    unintelligible('not well-formed XML');
  }
  return root ?? unintelligible('no element');
}

function toElement({ local, uri, attributes }: SaxesTagNS): Growing {
  const values = new Map<string, string>();
  for (const { name, value } of Object.values(attributes)) values.set(name, value);
  return { name: uri === '' ? local : `${uri}|${local}`, attributes: values, children: [] };
}

export const childrenNamed = ({ children }: XmlElement, name: string) => children.filter((each) => each.name === name);

/** The only child of that name; undefined when there is none. Two would leave us to guess which one holds. */
export function onlyChild(element: XmlElement, name: string): XmlElement | undefined {
  const [first, second] = childrenNamed(element, name);
  return second === undefined ? first : unintelligible('an element twice');
}

/** For the five predefined entities, and without what XML cannot hold at all. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
