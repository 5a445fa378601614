// What the drill does with PromQL: shorter windows, comparisons that always answer, and the series that an expression asks for.

const WINDOW = /\[(\d+)([smhd])\]/g;
const OFFSET = /\boffset \d+[smhd]\b/g;
const COMPARISON = / (>=|<=|==|!=|>|<) (?!bool)/g;
const SELECTOR = /([a-z_:][a-zA-Z0-9_:]*)(\{[^}]*\})?/g;
/** Words of PromQL that are no metrics: functions are recognised by their bracket, labels by `by` and `on`. */
const WORDS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset', 'vector']);
const RATE_INTERVAL = '$__rate_interval';

/** Every window and offset, and Grafana's own, at this length: a drill has no three days. */
export function shorten(expr: string, seconds: number): string {
  return expr
    .replaceAll(RATE_INTERVAL, `${seconds}s`)
    .replaceAll(WINDOW, `[${seconds}s]`)
    .replaceAll(OFFSET, `offset ${Math.ceil(seconds / 2)}s`);
}

/** An alert's expression answers only when the alert fires; with `bool` it answers 0 or 1. */
export function answerAlways(expr: string): string {
  return expr.replaceAll(COMPARISON, ' $1 bool ');
}

/** Every metric that an expression names, with its labels. */
export function selectorsOf(expr: string): string[] {
  const withoutText = expr.replaceAll(/\b(by|without|on|ignoring) \([^)]*\)/g, ' ');
  const found = new Set<string>();
  for (const match of withoutText.replaceAll(/\[[^\]]*\]/g, ' ').matchAll(SELECTOR)) {
    const [text, name = '', labels] = match;
    const next = withoutText.replaceAll(/\[[^\]]*\]/g, ' ')[match.index + text.length];
    const before = withoutText.replaceAll(/\[[^\]]*\]/g, ' ')[match.index - 1] ?? ' ';
    if (/[\w"]/.test(before)) continue;
    if (labels === undefined && (next === '(' || WORDS.has(name))) continue;
    if (labels === undefined && !name.includes('_') && !name.includes(':') && name !== 'up') continue;
    found.add(text);
  }
  return [...found];
}
