// How many SMS a text takes: 160 septets in one, 153 in each of several; with any other character 70 and 67.
// The codes 0x00 to 0x7f without the escape, then the characters after an escape (3GPP TS 23.038).
const SINGLE = new Set(
  [
    '@£$¥èéùìòÇ\nØø\rÅå',
    'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ',
    ' !"#¤%&\'()*+,-./',
    '0123456789:;<=>?',
    '¡ABCDEFGHIJKLMNO',
    'PQRSTUVWXYZÄÖÑÜ§',
    '¿abcdefghijklmno',
    'pqrstuvwxyzäöñüà',
  ].join(''),
);
const DOUBLE = new Set('\f^{}\\[~]|€');

export type Segments = { readonly encoding: 'GSM-7' | 'UCS-2'; readonly segments: number };

export function segmentsOf(text: string): Segments {
  const characters = [...text];
  const isGsm = characters.every((each) => SINGLE.has(each) || DOUBLE.has(each));
  const length = isGsm ? characters.length + characters.filter((each) => DOUBLE.has(each)).length : text.length;
  const [alone, joined] = isGsm ? [160, 153] : [70, 67];
  return {
    encoding: isGsm ? 'GSM-7' : 'UCS-2',
    segments: length <= alone ? 1 : Math.ceil(length / joined),
  };
}
