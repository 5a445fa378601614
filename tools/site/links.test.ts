import { expect, test } from 'vitest';
import { checkPages, toPage } from './links.ts';

const exists = (address: string) => ['/docs', '/docs/a', '/docs/b', '/docs/app.js', '/openapi.json'].includes(address);
const faultsOf = (html: string) =>
  checkPages([toPage('/docs/a', html), toPage('/docs/b', '<h2 id="place">x</h2>')], exists);

test.each([
  ['a page', '<a href="/docs/b">x</a>'],
  ['a place on another page', '<a href="/docs/b#place">x</a>'],
  ['a place on this page', '<h2 id="here">x</h2><a class="y" href="#here">x</a>'],
  ['another host, for readers to follow', '<a href="https://example.com/">x</a>'],
  ['a file of the server', '<a href="/openapi.json">x</a><script src="/docs/app.js"></script>'],
  ['escaped code', '<pre>&lt;a href="/nowhere"&gt;</pre>'],
])('%s is no fault', (_name, html) => {
  expect(faultsOf(html)).toEqual([]);
});

test.each([
  ['a page that is not there', '<a href="/docs/c">x</a>', 'which does not exist'],
  ['a place that is not there', '<a href="/docs/b#nowhere">x</a>', 'no such place'],
  ['a place that is not on this page', '<a href="#nowhere">x</a>', 'no such place'],
  ['a slash at the end', '<a href="/docs/b/">x</a>', 'no address ends with a slash'],
  ['a script of another host', '<script src="https://example.com/x.js"></script>', 'from another host'],
  [
    'a style of another host, without its scheme',
    '<link rel="stylesheet" href="//example.com/x.css">',
    'from another host',
  ],
  ['a picture that is not there', '<img alt="" src="/docs/x.png">', 'which does not exist'],
  ['an inline script', '<script>x</script>', 'inline script'],
  ['an inline style', '<style>x</style>', 'inline script or style'],
  ['an event handler', '<p onclick="x">x</p>', 'event handler'],
])('%s is a fault', (_name, html, told) => {
  expect(faultsOf(html)).toEqual([expect.stringContaining(told)]);
});
