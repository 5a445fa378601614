import { expect, test } from 'vitest';
import { isOtherName } from './own-name.ts';

const rows = [
  // Host, base address, whether to redirect
  ['127.0.0.1:8080', 'http://localhost:8080', true],
  ['[::1]:8080', 'http://localhost:8080', true],
  ['localhost:8080', 'http://127.0.0.1:8080', true],
  ['localhost:8080', 'http://localhost:8080', false],
  ['LOCALHOST:8080', 'http://localhost:8080', false],
  // A proxy on this machine, which calls another port.
  ['127.0.0.1:8081', 'http://localhost:8080', false],
  // A proxy that sends the node's address as Host.
  ['127.0.0.1:8080', 'https://api.example.com', false],
  ['api.example.com', 'http://localhost:8080', false],
  ['localhost:8080.example.com', 'http://127.0.0.1:8080', false],
  ['', 'http://localhost:8080', false],
  [undefined, 'http://localhost:8080', false],
] as const;
for (const [host, baseUrl, expected] of rows) {
  test(`${host} at ${baseUrl}: ${expected ? 'shown at the base address' : 'stays'}`, () => {
    expect(isOtherName(host, baseUrl)).toBe(expected);
  });
}
