// THE WIRE. Everything a client can see is named in this package and nowhere else.
export * from './audit.ts';
export * from './credentials.ts';
export * from './credit-report.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './fingerprints.ts';
export * from './limits.ts';
export * from './members.ts';
export * from './openapi.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './queries.ts';
export * from './requests.ts';
export * from './responses.ts';
export * from './scopes.ts';
export { TOKEN_SENTENCES } from './token-endpoint.ts';
export * from './vocabulary.ts';
export * from './wallet.ts';
