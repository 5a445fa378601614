// The shape of a UK postcode by its letter rules (docs/decisions/0013-field-rules.md). It says nothing about whether mail
// would arrive, and it repairs nothing but case and spacing: O for 0 is a different postcode, not a typing error to guess
// at.
const FIRST = '[A-PR-UWYZ]';
const SECOND = '[A-HK-Y]';
// P is included because N1P is in use, although older copies of the rules leave it out.
const THIRD = '[A-HJKPSTUW]';
const FOURTH = '[ABEHMNPRVWXY]';
const INWARD = '[0-9][ABD-HJLNP-UW-Z]{2}';

const GEOGRAPHIC = new RegExp(
  `^${FIRST}(?:[0-9][0-9]?|[0-9]${THIRD}|${SECOND}[0-9][0-9]?|${SECOND}[0-9]${FOURTH})${INWARD}$`,
);
const FORCES_NUMBER = /^BFPO[0-9]{1,4}$/;
const GIROBANK = 'GIR0AA';
// Gibraltar is the only overseas territory whose code satisfies the letter rules; the others fail on their shape.
const GIBRALTAR = 'GX';

/** Upper case with one space before the last three characters, or `BFPO 12`; undefined when it is not a UK postcode. */
export function normalisePostcode(text: string): string | undefined {
  const squeezed = text.replace(/\s/g, '');
  // Only plain letters may reach toUpperCase: it would turn a long s or a dotless i into a letter that passes.
  if (!/^[A-Za-z0-9]{5,8}$/.test(squeezed)) return undefined;
  const code = squeezed.toUpperCase();
  if (FORCES_NUMBER.test(code)) return `BFPO ${code.slice(4)}`;
  if (code.startsWith(GIBRALTAR)) return undefined;
  if (code !== GIROBANK && !GEOGRAPHIC.test(code)) return undefined;
  return `${code.slice(0, -3)} ${code.slice(-3)}`;
}
