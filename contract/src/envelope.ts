// The response envelope as schemas. Interface, "Response envelope": the wallet stands only where an operation is metered.
import { type Static, type TSchema, Type } from 'typebox';
import { orNull } from './schema.ts';

const RequestMeta = Type.Object({
  timeTakenMs: Type.Integer({ minimum: 0, description: 'How long the answer took us, in milliseconds.' }),
});

export const WalletMeta = Type.Object({
  balance: Type.Integer({
    description: 'What the wallet holds once the operation is done, in credits; 1,000 credits are one pound.',
  }),
  cost: Type.Integer({ description: 'What this operation took from the wallet, in credits; 0 for a free one.' }),
});

export type WalletMeta = Static<typeof WalletMeta>;

/** With the wallet: the operations that are metered. */
export const metered = <T extends TSchema>(data: T) =>
  Type.Object({ meta: Type.Object({ request: RequestMeta, wallet: WalletMeta }), data });

/** Without the wallet: resend, and whatever else charges nothing by itself. */
export const unmetered = <T extends TSchema>(data: T) =>
  Type.Object({ meta: Type.Object({ request: RequestMeta }), data });

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
