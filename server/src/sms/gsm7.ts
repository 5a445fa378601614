// The alphabet of one SMS segment (3GPP TS 23.038): 160 septets; some characters take two. One character outside it
// turns the whole message into UCS-2, with segments of 70.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€';

const SEPTETS: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENDED].map((character) => [character, 2] as const),
]);

/** Plain spellings of letters and signs that no decomposition brings into the alphabet. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', Œ: 'OE', œ: 'oe', ẞ: 'SS' },
    ...{ Ħ: 'H', ħ: 'h', Ŧ: 'T', ŧ: 't', ı: 'i', Ŋ: 'N', ŋ: 'n', ĸ: 'k', Ə: 'E', ə: 'e' },
    ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '`': "'", '´': "'", ʻ: "'", ʼ: "'" },
    ...{ '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '‹': "'", '›': "'" },
    ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '•': '-', '·': '-' },
    ...{ '×': 'x', '÷': '/', '⁄': '/' },
  }),
);

/** Undefined when the text does not fit the alphabet. */
export function septetsOf(text: string): number | undefined {
  let septets = 0;
  for (const character of text) {
    const each = SEPTETS.get(character);
    if (each === undefined) return undefined;
    septets += each;
  }
  return septets;
}

/** One line in the alphabet, spelt as closely as possible; a character without a spelling is dropped. May be empty. */
export function toGsm7(text: string): string {
  return [...text.normalize('NFC')].map(spell).join('').replaceAll(/\s+/g, ' ').trim();
}

function spell(character: string): string {
  if (/\s/.test(character)) return ' ';
  if (SEPTETS.has(character)) return character;
  const parts = [...character.normalize('NFKD')].map((part) => SPELLINGS.get(part) ?? part);
  return parts.filter((part) => septetsOf(part) !== undefined).join('');
}

/** The longest prefix that takes at most this many septets. */
export function cutToSeptets(text: string, septetsMax: number): string {
  let left = septetsMax;
  let kept = '';
  for (const character of text) {
    left -= SEPTETS.get(character) ?? Number.POSITIVE_INFINITY;
    if (left < 0) break;
    kept += character;
  }
  return kept;
}
