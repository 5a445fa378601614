// Instants on pages: in United Kingdom time, with the zone's name. The page's script converts them to the reader's
// own time (docs/decisions/0175-what-pages-add-with-a-script.md).
import { type Html, html } from './html.ts';

const ZONE = 'Europe/London';

export function timeText(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: ZONE });
  const hour = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone: ZONE } as const;
  return `${day}, ${at.toLocaleTimeString('en-GB', hour)}`;
}

export const time = (at: Date): Html => html`<time datetime="${at.toISOString()}">${timeText(at)}</time>`;

/** How long the person must wait, in words. */
export function waitWords(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'one minute' : `${count} minutes`;
}
