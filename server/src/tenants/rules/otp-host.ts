// The host that the last line of a message names: the page where the consumer types the code.

const LENGTH_MAX = 60;
/** At least one label before the last dot: what a browser would show as the host of a page. */
const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** In lower case; undefined for a text that is no host. */
export function toHost(given: string): string | undefined {
  const host = given.toLowerCase();
  return host.length <= LENGTH_MAX && HOST.test(host) ? host : undefined;
}
