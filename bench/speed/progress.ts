// Progress of the speed benchmark, on stderr: stdout is for the figures.
export const say = (line: string) => process.stderr.write(`${line}\n`);
