// Thirty-two random hexadecimal characters, for what must be like nothing else. Not for secrets: nobody gains by guessing.

export function randomHex(): string {
  let hex = '';
  while (hex.length < 32) hex += Math.floor(Math.random() * 2 ** 32).toString(16);
  return hex.slice(0, 32);
}
