// The program that draws the API reference, out of the package that carries it as a text: for the documentation site, and for
// servers of a checkout without it. A production install does not have the package (docs/decisions/0288-a-small-document.md).
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

export async function readReferenceBundle(): Promise<string> {
  const app = fastify();
  try {
    // The plugin serves the program only beside a document.
    await app.register(scalar, { routePrefix: '/reference', configuration: { content: {} } });
    const { statusCode, body } = await app.inject('/reference/js/scalar.js');
    if (statusCode !== 200) throw new Error(`the package of the API reference answers ${statusCode}`);
    return body;
  } finally {
    await app.close();
  }
}
