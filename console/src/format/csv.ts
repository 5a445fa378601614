// Files of comma-separated values that come in parts: each has the same first line, and the whole has it once.

/** The part without its first line. Fields of a header line have no line break of their own. */
export const withoutHeader = (csv: string) => csv.slice(csv.indexOf('\n') + 1);
