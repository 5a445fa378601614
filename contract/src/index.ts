// THE WIRE. Everything a client can see is named here and nowhere else.
export * from './credit-report.ts';
export * from './errors.ts';
export * from './openapi.ts';
export * from './operations.ts';
export * from './queries.ts';
export * from './requests.ts';
export * from './responses.ts';
export * from './scopes.ts';
export * from './vocabulary.ts';
export * from './wallet.ts';
