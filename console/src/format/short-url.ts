/** Without the scheme; an address that cannot be read any more is empty. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '') || 'Address lost';
