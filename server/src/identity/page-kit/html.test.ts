import { expect, test } from 'vitest';
import { html } from './html.ts';

test('text is escaped in elements and in quoted attributes', () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</p>',
  );
});

test('parts made by the template go in as they are; nothing shows for what is left out', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${false}${0}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
});
