// The table of statements, for deletion by age (docs/decisions/0142-deletion-by-age.md).
export { EVIDENCES } from './store.ts';
