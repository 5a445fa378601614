// The one way to the API: the client library, with the sign-in's cookies. It repeats what is safe to repeat and throws
// TrefoilError for a refusal, TrefoilNoAnswerError where no answer came.
import { createTrefoil, type Trefoil } from '@trefoil/sdk';

/** After two repeats a person would rather be told than wait. */
const open = (tenantId: string) => createTrefoil({ auth: 'cookies', tenantId, maxRetries: 2 });

const clients = new Map<string, Trefoil>();

/** The API of one company. The address of the page says which, as the address of each request does. */
export function api(tenantId: string): Trefoil {
  const client = clients.get(tenantId) ?? open(tenantId);
  clients.set(tenantId, client);
  return client;
}

/** For what belongs to the person: these operations name no company. */
export const personApi = open('none');
