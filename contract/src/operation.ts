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
  /** The scope that the token must carry; undefined when any valid token is enough. */
  readonly scope?: Scope;
  /** Only for a person who has just passed a second factor (docs/decisions/0130-step-up.md); credentials are refused. */
  readonly needsStepUp?: true;
  /**
   * It shows nothing but live mode: a credential for test mode alone is refused. `unless-asked`: but with `test=true` in its query it
   * shows nothing but test mode.
   */
  readonly liveOnly?: true | 'unless-asked';
  /** Whether an Idempotency-Key header is honoured (docs/decisions/0056-idempotency.md). */
  readonly idempotent: boolean;
  /** The query parameters that the operation accepts; it ignores others. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Without a body, the request is as one with an empty object. */
  readonly isBodyOptional?: true;
  readonly bodyExamples?: Examples;
  readonly response: TSchema;
  readonly responseExamples: Examples;
  /** Present when the operation answers `Accept: text/csv` with CSV. */
  readonly csvExamples?: Examples;
  /** The media types of the answer where it is not JSON; `response` describes the first of them. */
  readonly mediaTypes?: readonly ('text/html' | 'application/pdf')[];
  /** Error codes beyond those that any operation can return. */
  readonly errors: readonly ErrorCode[];
};
