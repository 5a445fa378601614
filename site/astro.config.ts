// The documentation site. Its pages and its sidebar are written by tools/site/ before this runs.
import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const sidebar = JSON.parse(readFileSync(new URL('./src/sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  base: '/docs',
  // The server has no address that ends with a slash.
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Trefoil',
      description: 'UK credit reports over one API: how to call it, test it and go live.',
      favicon: '/favicon.svg',
      logo: { src: './src/logo.svg' },
      credits: false,
      customCss: ['./src/site.css'],
      // Long lines of code break: a block that scrolls sideways needs the keyboard and a name, and is hard to read on a phone.
      expressiveCode: { defaultProps: { wrap: true } },
      // Before all other scripts: on the origin of the API a page has no storage of its own.
      head: [
        { tag: 'script', attrs: { src: '/docs/js/storage.js' } },
        { tag: 'script', attrs: { src: '/docs/languages.js', type: 'module' } },
      ],
      sidebar,
    }),
  ],
});
