// Which of the two media types an answer can have the caller would rather read. JSON unless CSV is named and not
// outbid: nobody gets a 406 for asking loosely.

/** Quality of a media type that is named outright; undefined when it is not. RFC 9110, 12.5.1. */
function qualityOf(accept: string, mediaType: string): number | undefined {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    if (name !== mediaType) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return quality === undefined ? 1 : Number(quality) || 0;
  }
  return undefined;
}

export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const csv = qualityOf(accept, 'text/csv') ?? 0;
  return csv > (qualityOf(accept, 'application/json') ?? 0);
}
