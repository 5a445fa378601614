// HTML from template strings. Everything put into one is escaped, unless it is itself made by `html`.
export type Html = { readonly markup: string };
type Part = Html | string | number | undefined | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, at) => text + markupOf(parts[at])).join('') };
}

export type PageOptions = {
  readonly title: string;
  readonly body: Html;
  readonly head?: Html;
  readonly isTest: boolean;
};

export function layout({ title, body, head, isTest }: PageOptions): string {
  const page = html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – Example Cargo Bikes</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">${head}
  </head>
  <body>
    <header>
      <a class="brand" href="/">Example Cargo Bikes</a>
      ${isTest ? html`<p class="mode">Test mode: nothing is charged</p>` : undefined}
    </header>
    <main>${body}</main>
    <footer><p>An invented shop that shows how to use Trefoil.</p></footer>
  </body>
</html>
`;
  return page.markup;
}

/** A thousand credits of the wallet are a pound. */
export function credits(amount: number): string {
  const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(amount / 1_000);
  return `${amount.toLocaleString('en-GB')} credits (${pounds})`;
}
