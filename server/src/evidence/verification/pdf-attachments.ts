// Reads the files that are attached to one of our PDFs. Small and strict: it follows the cross-reference table as a viewer
// does and knows the parts of PDF that our painter writes. Everything is bounded, since the file comes from a stranger. The
// verification page runs it too, so the function is whole in itself (verifier.ts).

export type Attachment = { readonly name: string; readonly bytes: Uint8Array };

type Value = null | boolean | number | string | Name | Reference | readonly Value[] | Dictionary;
type Name = { readonly name: string };
type Reference = { readonly id: number };
type Dictionary = Map<string, Value>;

/** Throws an Error with a reason for a file that is not such a PDF. */
export async function readPdfAttachments(file: Uint8Array): Promise<Attachment[]> {
  const limits = {
    bytes: 20_000_000,
    objects: 200_000,
    tables: 16,
    depth: 20,
    values: 100_000,
    files: 20,
    inflated: 20_000_000,
  };
  const fail = (reason: string): never => {
    throw new Error(reason);
  };
  if (file.length > limits.bytes) fail('the file is too large');
  // One character for each byte, so that a place in the text is a place in the file.
  const text = new TextDecoder('latin1').decode(file).replace(/[\u0100-\uffff]/g, '?');
  if (!text.startsWith('%PDF-1.') || text.length !== file.length) fail('it is not a PDF');

  const isSpace = (letter: string | undefined) => letter !== undefined && '\0\t\n\f\r '.includes(letter);
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

  /** The value that begins here, and where it ends. */
  let valuesLeft = limits.values;
  function readValue(from: number, depth = 0): { value: Value; end: number } {
    valuesLeft -= 1;
    if (depth > limits.depth || valuesLeft < 0) fail('its structure is too large');
    let at = from;
    while (isSpace(text[at])) at += 1;
    if (text.startsWith('<<', at)) {
      const dictionary: Dictionary = new Map();
      for (at += 2; ; ) {
        while (isSpace(text[at])) at += 1;
        if (text.startsWith('>>', at)) return { value: dictionary, end: at + 2 };
        const key = readValue(at, depth + 1);
        const inner = readValue(key.end, depth + 1);
        const { name } = key.value as Partial<Name>;
        if (name === undefined || dictionary.has(name)) fail('a dictionary is not well-formed');
        dictionary.set(name ?? '', inner.value);
        at = inner.end;
      }
    }
    if (text[at] === '[') {
      const items: Value[] = [];
      for (at += 1; ; ) {
        while (isSpace(text[at])) at += 1;
        if (text[at] === ']') return { value: items, end: at + 1 };
        const item = readValue(at, depth + 1);
        items.push(item.value);
        at = item.end;
      }
    }
    if (text[at] === '(') {
      let value = '';
      for (let open = 1; ; ) {
        at += 1;
        const letter = text[at] ?? fail('a text has no end');
        if (letter === '\\') {
          at += 1;
          const octal = match(/[0-7]{1,3}/y, at)?.[0];
          value += octal
            ? String.fromCharCode(Number.parseInt(octal, 8) & 255)
            : (escapes[text[at] ?? ''] ?? text[at] ?? '');
          if (octal) at += octal.length - 1;
          continue;
        }
        open += letter === '(' ? 1 : letter === ')' ? -1 : 0;
        if (open === 0) return { value, end: at + 1 };
        value += letter;
      }
    }
    const hex = match(/<([0-9a-fA-F\s]{0,4096})>/y, at);
    if (hex) {
      const digits = (hex[1] ?? '').replace(/\s/g, '');
      const pairs = digits.padEnd(digits.length + (digits.length % 2), '0').match(/../g) ?? [];
      return {
        value: pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join(''),
        end: at + hex[0].length,
      };
    }
    const name = match(/\/([^\0\t\n\f\r ()<>[\]{}/%]{0,127})/y, at);
    if (name) {
      const plain = (name[1] ?? '').replace(/#([0-9a-fA-F]{2})/g, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
      return { value: { name: plain }, end: at + name[0].length };
    }
    const reference = match(/(\d{1,7})\s{1,2}0\s{1,2}R(?![^\0\t\n\f\r ()<>[\]{}/%])/y, at);
    if (reference) return { value: { id: Number(reference[1]) }, end: at + reference[0].length };
    const word = match(/(?:true|false|null|[+-]?\d{1,12}(?:\.\d{0,12})?)(?![^\0\t\n\f\r ()<>[\]{}/%])/y, at);
    if (!word) return fail('a value is not well-formed');
    return {
      value: JSON.parse(
        word[0]
          .replace(/^\+/, '')
          .replace(/^(-?)0+(?=\d)/, '$1')
          .replace(/\.$/, ''),
      ),
      end: at + word[0].length,
    };
  }
  const asDictionary = (value: Value | undefined) => (value instanceof Map ? value : fail('a dictionary is missing'));
  const asInteger = (value: Value | undefined) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : fail('a number is missing');

  // The newest table counts; older ones say where unchanged objects are.
  const last =
    /(?:^|[\r\n])startxref\s{1,2}(\d{1,9})\s{1,2}%%EOF\s{0,2}$/.exec(text.slice(-64)) ?? fail('its end is missing');
  const places = new Map<number, number>();
  let root: Value | undefined;
  let next: Value | undefined = Number(last[1]);
  for (let tables = 0; next !== undefined; tables += 1) {
    if (tables === limits.tables) fail('it has too many tables');
    let at = asInteger(next);
    const start = match(/xref\s{1,2}/y, at) ?? fail('its table is missing');
    at += start[0].length;
    for (
      let section = match(/(\d{1,7}) (\d{1,7})\s{1,2}/y, at);
      section;
      section = match(/(\d{1,7}) (\d{1,7})\s{1,2}/y, at)
    ) {
      const [whole, first, count] = [section[0], Number(section[1]), Number(section[2])];
      at += whole.length;
      if (first + count > limits.objects) fail('it has too many objects');
      for (let index = 0; index < count; index += 1, at += 20) {
        // Every object of ours is the first of its number.
        const entry = match(/(\d{10}) (?:00000 (n)|\d{5} f)[ \r\n]{2}/y, at) ?? fail('its table is damaged');
        if (!places.has(first + index)) places.set(first + index, entry[2] ? Number(entry[1]) : -1);
      }
    }
    const mark = match(/trailer/y, at) ?? fail('its trailer is missing');
    const trailer = asDictionary(readValue(at + mark[0].length).value);
    if (trailer.has('Encrypt') || trailer.has('XRefStm'))
      fail('it is encrypted, or written in a way that we do not use');
    root ??= trailer.get('Root');
    next = trailer.get('Prev');
  }

  /** The object that a reference means; anything else is meant itself. */
  function resolve(value: Value | undefined): { value: Value | undefined; end: number } {
    if (typeof value !== 'object' || value === null || !('id' in value)) return { value, end: -1 };
    const place = places.get(value.id) ?? -1;
    const head = place < 0 ? null : match(/(\d{1,7}) 0 obj(?![^\0\t\n\f\r ()<>[\]{}/%])/y, place);
    if (!head || Number(head[1]) !== value.id) return fail('an object is missing');
    return readValue(place + head[0].length);
  }
  const follow = (value: Value | undefined) => asDictionary(resolve(value).value);

  async function readStream(reference: Value | undefined): Promise<Uint8Array> {
    const { value, end } = resolve(reference);
    const dictionary = asDictionary(value);
    const start = match(/\s{0,2}stream\r?\n/y, end) ?? fail('a stream is missing');
    const from = end + start[0].length;
    const length = asInteger(resolve(dictionary.get('Length')).value);
    if (!match(/\r?\n?endstream/y, from + length)) fail('a stream has a wrong length');
    const filter = resolve(dictionary.get('Filter')).value;
    const names = (Array.isArray(filter) ? filter : filter === undefined ? [] : [filter]) as readonly Name[];
    if (dictionary.has('DecodeParms') || names.length > 1) fail('a stream is packed in a way that we do not use');
    const packed = file.slice(from, from + length);
    if (names.length === 0) return packed;
    if (names[0]?.name !== 'FlateDecode') fail('a stream is packed in a way that we do not use');
    const parts: Uint8Array[] = [];
    let size = 0;
    // Piece by piece: a few packed bytes may inflate to gigabytes.
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > limits.inflated) {
        await reader.cancel();
        fail('an attached file is too large');
      }
      parts.push(part.value);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  const names = follow(root).get('Names');
  const tree = names === undefined ? undefined : follow(names).get('EmbeddedFiles');
  const listed = tree === undefined ? [] : resolve(follow(tree).get('Names')).value;
  if (!Array.isArray(listed) || listed.length % 2 !== 0 || listed.length > 2 * limits.files)
    return fail('its list of files is damaged');
  const attachments: Attachment[] = [];
  for (let index = 0; index < listed.length; index += 2) {
    const described = follow(listed[index + 1]);
    const name = described.get('F');
    // A list that calls a file by another name than the file itself would show different files to different readers.
    if (typeof name !== 'string' || name !== listed[index] || name !== described.get('UF'))
      fail('a file has two names');
    if (attachments.some((each) => each.name === name)) fail('two files have one name');
    attachments.push({ name: String(name), bytes: await readStream(follow(described.get('EF')).get('F')) });
  }
  return attachments;
}
