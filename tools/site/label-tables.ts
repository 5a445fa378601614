// Makes the tables of a rendered page readable on a phone: there each row becomes a card, and each cell says which column it is
// (site/src/site.css). A table of two columns fits and stays a table.

const TABLE = /<table>([\s\S]*?)<\/table>/g;
const HEADING = /<th[^>]*>([\s\S]*?)<\/th>/g;
const CELL = /<td([^>]*)>/g;

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('"', '&quot;')
    .trim();

/** With the roles that they have anyway: browsers forget them where a table is not laid out as one. */
const withRoles = (html: string) =>
  html
    .replace(/<(thead|tbody)>/g, '<$1 role="rowgroup">')
    .replace(/<tr>/g, '<tr role="row">')
    .replace(/<th(?=[\s>])/g, '<th role="columnheader"')
    .replace(/<td(?=[\s>])/g, '<td role="cell"');

export function labelTables(page: string): string {
  return page.replace(TABLE, (whole, content: string) => {
    const labels = [...content.matchAll(HEADING)].map(([, heading = '']) => wordsOf(heading));
    if (labels.length < 3) return whole;
    let count = 0;
    const labelled = content.replace(CELL, (_cell, attributes: string) => {
      const label = labels[count % labels.length] ?? '';
      count += 1;
      return `<td${attributes} data-label="${label}">`;
    });
    return `<table class="cards" role="table">${withRoles(labelled)}</table>`;
  });
}
