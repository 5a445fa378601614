// A tagged template for HTML. It escapes every interpolated text, except HTML that this template made itself.
import { escapeHtml } from '../../lib/rules/escape-html.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | undefined | null | false | readonly Html[];

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'object') return value.map((each) => each.text).join('');
  return escapeHtml(String(value));
}

/** Attributes must be in quotes, since the escaping is safe only inside quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => `${text}${render(values[index - 1])}${part}`));
}
