// A sign-in in progress, as the OAuth library keeps it between the first page and the last. It holds the proofs given so far
// and the passkey challenge on the server, so that no page can claim a step it has not passed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { TWO_FACTORS } from '../provider/interaction-policy.ts';

export type Progress = {
  /** The person whose password was right. */
  readonly userId?: string | undefined;
  readonly challenge?: string | undefined;
};

export type OpenInteraction = {
  readonly uid: string;
  readonly prompt: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The application's own identifier of this sign-in. */
  readonly state: string;
  readonly progress: Progress;
  readonly wantsSecondFactor: boolean;
  /** The person already signed in at the provider, and how they proved it. */
  readonly session: { readonly userId: string; readonly amr: readonly string[] } | undefined;
  readonly missingScopes: readonly string[];
  readonly missingResourceScopes: Readonly<Record<string, readonly string[]>>;
  readonly grantId: string | undefined;
  save(progress: Progress): Promise<void>;
  /** Sends the person on to the provider with the result. */
  finish(result: InteractionResults): Promise<FastifyReply>;
};

const PROGRESS = 'progress';

/** Undefined when it has ended, never existed, or belongs to another browser. */
export async function openInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OpenInteraction | undefined> {
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: Error) => {
    if (error.name === 'SessionNotFound') return undefined;
    throw error;
  });
  if (!details || details.uid !== (request.params as { uid?: string }).uid) return undefined;
  const { params, prompt, session } = details;
  const secondsLeft = () => Math.max(1, details.exp - Math.floor(Date.now() / 1_000));
  return {
    uid: details.uid,
    prompt: prompt.name,
    clientId: String(params['client_id']),
    redirectUri: String(params['redirect_uri']),
    state: String(params['state'] ?? ''),
    progress: (details.result?.[PROGRESS] ?? {}) as Progress,
    wantsSecondFactor: String(params['acr_values'] ?? '')
      .split(' ')
      .includes(TWO_FACTORS),
    session: session?.accountId ? { userId: session.accountId, amr: session.amr ?? [] } : undefined,
    missingScopes: (prompt.details['missingOIDCScope'] ?? []) as string[],
    missingResourceScopes: (prompt.details['missingResourceScopes'] ?? {}) as Record<string, string[]>,
    grantId: details.grantId,
    async save(progress) {
      details.result = { [PROGRESS]: progress };
      await details.save(secondsLeft());
    },
    async finish(result) {
      const returnTo = await provider.interactionResult(request.raw, reply.raw, result, {
        // A person who consents has just signed in; without the merge the library would ask for the sign-in again and again.
        mergeWithLastSubmission: 'consent' in result,
      });
      return reply.redirect(returnTo, 303);
    },
  };
}
