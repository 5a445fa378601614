// The practical syntax of an e-mail address (docs/decisions/0013-field-rules.md): what mail systems assign, not all that the
// standards permit. It queries no name server, and it must stay linear in the length of a hostile text.
const LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 63;

// Letters with their marks in any script; no class contains quotes, spaces or control characters. No class contains
// the dot, so an expression can never split the same text in two ways.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

/** The one spelling in which addresses are stored and forwarded: composed characters (NFC), the domain in lower case. */
export function normaliseEmail(text: string): string {
  const composed = text.trim().normalize('NFC');
  const at = composed.lastIndexOf('@') + 1;
  return composed.slice(0, at) + composed.slice(at).toLowerCase().normalize('NFC');
}

/** The same for an account's address, which also ignores capitals before the @. */
export function accountEmail(text: string): string {
  return normaliseEmail(text).toLowerCase().normalize('NFC');
}

export function isEmail(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > LOCAL_LENGTH_MAX) return false;
  return LOCAL_PART.test(text.slice(0, at)) && isDomain(text.slice(at + 1));
}

/** One sender, alone or as `Name <address>`; undefined for anything else, a list of addresses included. */
export function readMailbox(text: string): { readonly name: string; readonly address: string } | undefined {
  const [, name = '', inBrackets, alone] = /^(?:([^<>]*)<([^<>]+)>|([^<>]+))$/.exec(text) ?? [];
  const address = inBrackets ?? alone ?? '';
  return isEmail(address) ? { name: name.trim(), address } : undefined;
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  // A single label is a host on a local network; a last label of digits is an IP address, not a name.
  if (labels.length < 2 || /^[0-9]+$/.test(labels.at(-1) ?? '')) return false;
  return labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return label.length <= LABEL_LENGTH_MAX && LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
