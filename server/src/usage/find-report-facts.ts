// For how many bureaus reports were charged, for the lines of a statement.
export { listReportFacts } from './report-facts-store.ts';
