// Aligned tables for a terminal.
import { printable } from '../lib/values/plain-text.ts';

export function table(headings: readonly string[], lines: readonly (readonly string[])[]): string {
  const cells = [headings, ...lines.map((line) => line.map(printable))];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => [...(line[column] ?? '')].length)));
  return cells
    .map((line) => line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `a`, `a and b`, `a, b and c`. */
export function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

export const state = (isEnabled: boolean) => (isEnabled ? 'enabled' : 'disabled');
export const day = (instant: Date) => instant.toISOString().slice(0, 10);
export const minute = (instant: Date) => `${instant.toISOString().slice(0, 16).replace('T', ' ')}Z`;

/** Credits in a readable form; 1,000 are one pound. */
export function inCredits(credits: number): string {
  const word = Math.abs(credits) === 1 ? 'credit' : 'credits';
  return `${credits.toLocaleString('en-GB')} ${word} (${inPounds(credits)})`;
}

function inPounds(credits: number): string {
  const pence = (Math.abs(credits) / 10).toFixed(credits % 10 === 0 ? 0 : 1);
  const [whole = '0', rest] = pence.split('.');
  const pounds = Number(whole.slice(0, -2) || '0').toLocaleString('en-GB');
  return `${credits < 0 ? '-' : ''}£${pounds}.${whole.slice(-2).padStart(2, '0')}${rest ?? ''}`;
}
