// Parses outside XML into a small tree: strictly well-formed, no document type (so no entities defined by the sender),
// bounded in depth and in elements. Text between elements is dropped: Albion puts everything in attributes.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { readUtf8 } from '../../lib/outside/utf8.ts';
import { BureauFault, unintelligible } from '../bureau-fault.ts';

const DEPTH_MAX = 64;
/** Twice what the largest accepted file would have (file-limits.ts), and quickly reached by a file that is too large. */
const ELEMENTS_MAX = 30_000;
/** Per element, and in all: an account has about forty over all its elements. */
const ATTRIBUTES_MAX = 100;
const ALL_ATTRIBUTES_MAX = 200_000;

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
  let allAttributes = 0;
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') unintelligible('not UTF-8');
  });
  parser.on('doctype', () => unintelligible('a document type'));
  parser.on('processinginstruction', () => unintelligible('a processing instruction'));
  parser.on('attribute', () => {
    attributes += 1;
    allAttributes += 1;
    if (attributes > ATTRIBUTES_MAX || allAttributes > ALL_ATTRIBUTES_MAX) unintelligible('too many attributes');
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
    // The parser's own message may quote the text: only our own message leaves this function.
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

/** The only child of that name; undefined when there is none. With two we would have to guess which one counts. */
export function onlyChild(element: XmlElement, name: string): XmlElement | undefined {
  const [first, second] = childrenNamed(element, name);
  return second === undefined ? first : unintelligible('an element twice');
}

/** Escapes the five predefined entities, and drops characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
