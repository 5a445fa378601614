// One operation of the wire, as data.
import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Examples } from './examples.ts';
import type { Scope } from './scopes.ts';

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Scope the token must carry; undefined when any valid token will do. */
  readonly scope?: Scope;
  /** Only for a person who has just proved a second factor (docs/decisions/0130); no credential will do. */
  readonly needsStepUp?: true;
  /** Whether an Idempotency-Key header is honoured (docs/decisions/0056). */
  readonly idempotent: boolean;
  /** The query parameters it knows; others are ignored. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyExamples?: Examples;
  readonly response: TSchema;
  readonly responseExamples: Examples;
  /** Present when `Accept: text/csv` gets the answer as CSV. */
  readonly csvExamples?: Examples;
  /** Refusals beyond those any operation can meet. */
  readonly errors: readonly ErrorCode[];
};
