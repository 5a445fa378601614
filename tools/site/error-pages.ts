// The pages about errors on the site, from the contract's catalogue. Without the site the server renders its own
// (server/src/http/docs/error-pages.ts); the addresses are the same.
import { ERROR_CODES, ERRORS, type ErrorCode, errorExample } from '@trefoil/contract';
import { addressOf } from './pages.ts';
import type { Page } from './render-page.ts';

const addressOfCode = (code: ErrorCode) => addressOf(`errors/${code}`);

function codePage(code: ErrorCode): Page {
  const { status, meaning, remedy } = ERRORS[code];
  return {
    slug: `errors/${code}`,
    title: `${status} ${code}`,
    description: meaning.replaceAll('`', ''),
    text: `
## What it means

${meaning}

## What to do

${remedy}

## An example

\`\`\`json
${JSON.stringify(errorExample(code), null, 2)}
\`\`\`

Programs read \`code\`; \`message\` is for people and may be reworded. [All error codes](${addressOf('errors')}).
`,
  };
}

const listPage: Page = {
  slug: 'errors',
  title: 'Error codes',
  description: 'Every error code of the API, its HTTP status and what it means.',
  text: `
Every error body has a \`code\` from this list, a \`message\`, a \`requestId\`, and in \`docs\` the address of the page about its
code. An outcome such as \`blocked\` or \`failed\` is not an error: it is a \`200\` with a \`data.status\`.

| HTTP | Code | Meaning |
|---|---|---|
${ERROR_CODES.map((code) => `| ${ERRORS[code].status} | [\`${code}\`](${addressOfCode(code)}) | ${ERRORS[code].meaning} |`).join('\n')}
`,
};

export const errorPages: readonly Page[] = [listPage, ...ERROR_CODES.map(codePage)];
