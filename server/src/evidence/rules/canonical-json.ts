// Canonical JSON (RFC 8785) for what is signed, restricted to what every reader understands alike: strings, safe integers,
// true, false, null, lists and objects. Each function is whole in itself, because the verification page runs it too
// (verification/verifier.ts).

export type Canonical = null | boolean | number | string | readonly Canonical[] | { readonly [key: string]: Canonical };

/** The one text of a value. Throws for what the restriction leaves out. */
export function writeCanonical(value: unknown, depth = 0): string {
  if (depth > 32) throw new TypeError('nested too deep for canonical JSON');
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError('canonical JSON has safe integers only');
    // Minus zero has no sign in it.
    return String(value);
  }
  const quote = (text: string) => {
    // Two readers may replace a lone surrogate by different characters.
    if (!text.isWellFormed()) throw new TypeError('a lone surrogate is in a text');
    return JSON.stringify(text);
  };
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeCanonical(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError('not a value of JSON');
  const fields = value as Record<string, unknown>;
  // The default order of sort() is that of the RFC: by UTF-16 code units, not by code points.
  const keys = Object.keys(fields).sort();
  return `{${keys.map((key) => `${quote(key)}:${writeCanonical(fields[key], depth + 1)}`).join(',')}}`;
}

/**
 * Reads JSON of the same restriction, in any order and with any white space. A key that comes twice in one object, a float,
 * a lone surrogate or anything after the value throws: another reader could understand such a text differently.
 */
export function readRestricted(text: string): Canonical {
  const depthMax = 32;
  let at = 0;
  const fail = (what: string): never => {
    throw new SyntaxError(what);
  };
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const skip = () => take(/[ \t\n\r]*/y);
  const readText = () => {
    // A loop, since an expression over a text of megabytes could exhaust its stack.
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    const value = JSON.parse(text.slice(at, end + 1)) as string;
    at = end + 1;
    return value.isWellFormed() ? value : fail('a lone surrogate is in a text');
  };
  /** The items between two brackets, separated by commas. */
  const readItems = (end: string, readItem: () => void) => {
    at += 1;
    skip();
    if (text[at] === end) at += 1;
    else
      for (let isOpen = true; isOpen; at += 1) {
        skip();
        readItem();
        skip();
        if (text[at] !== ',' && text[at] !== end) fail('a comma is missing');
        isOpen = text[at] === ',';
      }
  };
  const read = (depth: number): Canonical => {
    if (depth > depthMax) fail('nested too deep');
    const first = text[at];
    if (first === '"') return readText();
    if (first === '[') {
      const items: Canonical[] = [];
      readItems(']', () => items.push(read(depth + 1)));
      return items;
    }
    if (first === '{') {
      const fields = new Map<string, Canonical>();
      readItems('}', () => {
        const key = text[at] === '"' ? readText() : fail('a key is missing');
        if (fields.has(key)) fail('a key comes twice in one object');
        skip();
        if (text[at] !== ':') fail('a colon is missing');
        at += 1;
        skip();
        fields.set(key, read(depth + 1));
      });
      // Also a key such as __proto__ becomes a field of its own.
      return Object.fromEntries(fields);
    }
    const word = take(/true|false|null/y);
    if (word !== undefined) return JSON.parse(word) as Canonical;
    const number = Number(take(/-?(?:0|[1-9]\d*)(?![\d.eE])/y) ?? fail('not a value, or not an integer'));
    return Number.isSafeInteger(number) ? number : fail('the integer is too large');
  };
  skip();
  const value = read(0);
  skip();
  return at === text.length ? value : fail('something follows the value');
}
