// How the library names itself to the service.
import { VERSION } from './openapi-names.ts';

type Runtime = {
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: { readonly version?: string };
};

/** Undefined in browsers: they name themselves, and to other origins the header would need a permission. */
export function userAgentOf({ navigator, process }: Runtime): string | undefined {
  // Node before 21 has no navigator.
  const runtime = navigator?.userAgent ?? (process?.version && `Node.js/${process.version.slice(1)}`);
  if (runtime?.startsWith('Mozilla/')) return undefined;
  return [`trefoil-sdk/${VERSION}`, runtime ?? []].flat().join(' ');
}

export const USER_AGENT = userAgentOf(globalThis as Runtime);
