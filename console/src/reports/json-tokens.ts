// JSON in pieces that have a colour each. Pure: the pieces together are the text.
type Kind = 'key' | 'string' | 'number' | 'word';
type Piece = { readonly at: number; readonly kind: Kind | undefined; readonly text: string };

const TOKEN = /("(?:\\.|[^"\\])*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function kindOf(token: string, isKey: boolean): Kind {
  if (token.startsWith('"')) return isKey ? 'key' : 'string';
  return /^[tfn]/.test(token) ? 'word' : 'number';
}

export function splitJson(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: token, 2: colon, index } of text.matchAll(TOKEN)) {
    if (index > at) pieces.push({ at, kind: undefined, text: text.slice(at, index) });
    pieces.push({ at: index, kind: kindOf(token, colon !== undefined), text: token });
    at = index + token.length;
  }
  if (at < text.length) pieces.push({ at, kind: undefined, text: text.slice(at) });
  return pieces;
}
