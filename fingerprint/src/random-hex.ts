// Thirty-two random hexadecimal characters, for unique values. Not for secrets: guessing one gains nothing.

export function randomHex(): string {
  let hex = '';
  while (hex.length < 32) hex += Math.floor(Math.random() * 2 ** 32).toString(16);
  return hex.slice(0, 32);
}
