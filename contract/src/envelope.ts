// The response envelope as schemas. Interface, "Response envelope": only metered operations include the wallet.
import { type Static, type TSchema, Type } from 'typebox';
import { orNull } from './schema.ts';

const RequestMeta = Type.Object({
  timeTakenMs: Type.Integer({ minimum: 0, description: 'How long the service took to answer, in milliseconds.' }),
});

export const WalletMeta = Type.Object({
  balance: Type.Integer({
    description:
      'The balance of the wallet after the operation, in credits; 1,000 credits are one pound. In a replayed answer: ' +
      'after the first one.',
  }),
  cost: Type.Integer({
    description:
      'What this operation charged, in credits; 0 where it charged nothing. It is never negative: a refund shows in ' +
      '`balance` and as a `report-refund` line of the statement. Messages are not in it either: each is a line of its own.',
  }),
});

export type WalletMeta = Static<typeof WalletMeta>;

/** With the wallet: for metered operations. */
export const metered = <T extends TSchema>(data: T) =>
  Type.Object({ meta: Type.Object({ request: RequestMeta, wallet: WalletMeta }), data });

/** Without the wallet: for resend and every other operation that charges nothing itself. */
export const AnswerMeta = Type.Object({ request: RequestMeta });
export const unmetered = <T extends TSchema>(data: T) => Type.Object({ meta: AnswerMeta, data });

/** One page of a list, newest first. */
export const pageOf = <T extends TSchema>(item: T) =>
  unmetered(
    Type.Object({
      items: Type.Array(item),
      nextCursor: orNull(Type.String(), {
        description: 'Send it as `cursor` to get the next page; null on the last one.',
      }),
    }),
  );
