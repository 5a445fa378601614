// The practical syntax of an e-mail address (docs/decisions/0013): what mail systems hand out, not all that the
// standards permit. It asks no name server, and it must stay linear in the length of a hostile text.
const LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 63;

// Letters with their marks in any script; quotes, spaces and control characters are in no class here. No class holds
// the dot, so an expression can never split the same text in two ways.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

export function isEmail(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > LOCAL_LENGTH_MAX) return false;
  return LOCAL_PART.test(text.slice(0, at)) && isDomain(text.slice(at + 1));
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  // One label alone is a machine on somebody's own network; a last label of digits is an IP address, not a name.
  if (labels.length < 2 || /^[0-9]+$/.test(labels.at(-1) ?? '')) return false;
  return labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return label.length <= LABEL_LENGTH_MAX && LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
