// Paints a view as one HTML page: no script, nothing fetched, and a policy that names its one stylesheet by its hash.
import { createHash } from 'node:crypto';
import { Html, html } from '../../identity/page-kit/html.ts';
import { unreachable } from '../../lib/errors.ts';
import { qrCode } from '../qr-code.ts';
import type { Block, Card, Check, Definitions, Paragraph, Section, Table, View } from '../view/view.ts';
import { chartOf } from './chart.ts';
import { STYLE } from './style.ts';

export const HTML_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LOGO = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>`;

/** A word like this is broken where it must; a shorter one, such as an amount, makes its column wider instead. */
const LONG_WORD = /\S{15}/;

const isLong = (text: string) => LONG_WORD.test(text) && html` class="long"`;

/** A day in a cell stands on one line, with spaces that do not break. */
const withWholeDays = (text: string) =>
  text.replaceAll(/\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b/g, (day) => day.replaceAll(' ', '\u00a0'));

/** Beyond two columns a phone shows each row as a list of its cells. The roles keep it a table for screen readers. */
const WIDE_FROM = 3;

function paintTable({ caption, columns, rows }: Table): Html {
  const end = (place: number) => columns[place]?.align === 'end' && html` class="end"`;
  return html`<table role="table"${columns.length >= WIDE_FROM && html` class="wide"`}><caption>${caption}</caption>
<colgroup>${columns.map(({ share }) => html`<col width="${Math.round(share * 1_000) / 10}%">`)}</colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(({ title }, place) => html`<th role="columnheader" scope="col"${end(place)}>${title}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    ({ cells, mark }) =>
      html`<tr role="row"${mark !== null && html` class="marked ${mark}"`}>${cells.map((text, place) =>
        place === 0
          ? html`<th role="rowheader" scope="row"${isLong(text)}>${withWholeDays(text)}</th>`
          : html`<td role="cell"${end(place)} data-column="${columns[place]?.title}"><span${isLong(text)}>${withWholeDays(text)}</span></td>`,
      )}</tr>
`,
  )}</tbody></table>`;
}

function paintParagraph({ label, text, tone }: Paragraph): Html {
  const name = { plain: '', strong: 'strong', quiet: 'quiet small' }[tone];
  return html`<p${name !== '' && html` class="${name}"`}>${label !== null && html`<strong>${label}</strong> `}${text}</p>`;
}

function paintCard({ id, title, aside, note, facts, table, remark }: Card): Html {
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h3 id="${id}">${title}</h3><p>${aside}</p></div>
<p class="quiet">${note}</p>
<dl class="facts">${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${table !== null && paintTable(table)}${remark !== null && html`<p>${remark}</p>`}</section>`;
}

function paintCode(address: string, alt: string): Html {
  const { size, runs } = qrCode(address);
  const path = runs.map(({ row, column, length }) => `M${column} ${row}h${length}v1h-${length}z`).join('');
  return html`<div class="code"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${alt}"><path d="${path}"/></svg></div>`;
}

function paintCheck({ words, address, link, codeAlt, table }: Check): Html {
  return html`<div class="check"><div>${words.map((text) => html`<p>${text}</p>`)}<p><a href="${address}">${link}</a></p></div>${paintCode(address, codeAlt)}</div>
${paintTable(table)}`;
}

const paintDefinitions = ({ entries }: Definitions) =>
  html`<dl class="words">${entries.map(({ term, meaning }) => html`<dt>${term}</dt><dd>${meaning}</dd>`)}</dl>`;

function paintBlock(block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return paintParagraph(block);
    case 'table':
      return paintTable(block);
    case 'definitions':
      return paintDefinitions(block);
    case 'timeline':
      return chartOf(block);
    case 'card':
      return paintCard(block);
    case 'check':
      return paintCheck(block);
    default:
      return unreachable(block);
  }
}

const paintSection = ({
  id,
  title,
  blocks,
}: Section) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${blocks.map(paintBlock)}</section>
`;

export function paintHtml({ language, title, notice, subject, prepared, glance, sections, footer }: View): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<div class="brand">${LOGO}Trefoil</div>
${notice !== null && html`<p class="notice">${notice}</p>`}
<h1>${title}</h1>
<p class="subject">${subject}</p>
<p class="quiet">${prepared}</p>
<div class="glance"><p class="headline">${glance.headline}</p><ul>${glance.points.map((point) => html`<li>${point}</li>`)}</ul></div>
${sections.map(paintSection)}</main>
<footer>${notice !== null && html`<p class="notice">${notice}</p>`}<p>${footer}</p></footer>
</body>
</html>
`.text;
}
