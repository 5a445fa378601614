// JSON from outside: strict UTF-8, bounded depth and structure, and no duplicate keys. A second `acc` would silently replace
// the first, with every account in it.
import { unintelligible } from './outside-fault.ts';
import { readUtf8 } from './utf8.ts';

const DEPTH_MAX = 64;
const CONTAINERS_MAX = 200_000;
/** Per object. The largest known object has a key for every address of a file. */
const KEYS_MAX = 1_000;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

export function parseStrictJson(bytes: Uint8Array): Json {
  const text = readUtf8(bytes);
  // First, since the parser itself has no bounds.
  checkStructure(text);
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The parser's message quotes the text around the fault, so it must not leave this function.
    return unintelligible('not JSON');
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's own value: a key such as `constructor` is absent unless it was sent. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** How many objects anywhere in the tree pass the test. Parsing has bounded the depth. */
export function countObjects(value: Json | undefined, test: (object: JsonObject) => boolean): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = isObject(value) && test(value) ? 1 : 0;
  return Object.values(value).reduce<number>((count, child) => count + countObjects(child as Json, test), own);
}

const [QUOTE, BACKSLASH, COLON] = ['"', '\\', ':'].map((each) => each.charCodeAt(0));
const [BRACE_OPEN, BRACE_CLOSE, BRACKET_OPEN, BRACKET_CLOSE] = [...'{}[]'].map((each) => each.charCodeAt(0));

/** One pass over the text. It need not detect malformed text: the parser will. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  let containers = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) addKey(keys, text.slice(index, end + 1));
      index = end;
    } else if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      containers += 1;
      open.push(code === BRACE_OPEN ? new Set() : null);
      if (open.length > DEPTH_MAX) unintelligible('nested too deep');
      if (containers > CONTAINERS_MAX) unintelligible('too many parts');
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) open.pop();
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) break;
  }
  return index;
}

/** Whether a colon follows: inside an object only a key has one. */
function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (text.charCodeAt(index) <= 0x20) index += 1;
  return text.charCodeAt(index) === COLON;
}

function addKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (keys.has(key)) unintelligible('a key twice in one object');
  keys.add(key);
  if (keys.size > KEYS_MAX) unintelligible('too many keys in one object');
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return unintelligible('not JSON');
  }
}
