import { expect, test } from 'vitest';
import { moveInline } from './finish.ts';

test('inline scripts and styles become files named by their content; the same content is the same file', () => {
  const { html, files } = moveInline(
    '<style>a{}</style><script>one()</script><script type="module">two()</script><script>one()</script>',
  );
  const names = files.map(({ name }) => name);
  expect(new Set(names).size).toBe(3);
  expect(html).toBe(
    `<link rel="stylesheet" href="/docs/_astro/${names[3]}"><script src="/docs/_astro/${names[0]}"></script>` +
      `<script type="module" src="/docs/_astro/${names[1]}"></script><script src="/docs/_astro/${names[0]}"></script>`,
  );
  expect(files.map(({ content }) => content)).toEqual(['one()', 'two()', 'one()', 'a{}']);
});

test('scripts that are files, or data, stay as they are', () => {
  const html = '<script src="/docs/a.js"></script><script type="application/ld+json">{}</script>';
  expect(moveInline(html)).toEqual({ html, files: [] });
});
