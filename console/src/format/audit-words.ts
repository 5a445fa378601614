// Sentences for actions, to follow the name of who acted. An action without one is shown as it is: the log hides nothing.

type Sayable = { readonly action: string; readonly details: object };

const WORDS: Readonly<Record<string, string>> = {
  'report.completed': 'completed a report',
  'report.challenged': 'started a report that needs a code',
  'report.expired': 'ended a report whose code was not entered in time',
  'report.failed': 'ended a report without a result',
  'report.blocked': 'stopped a report at screening',
  'report.read': 'read a report',
  'report.document-read': 'read the document of a report',
  'report.evidence-read': 'read the evidence of a report',
  'report.timeline-read': 'read the timeline of a report',
  'report.listed': 'listed reports',
  'report.counted': 'counted reports with a reference',
  'report.references-read': 'read references of reports',
  'report.erased': 'erased a report',
  'subject.searched': 'searched for a consumer',
  'subject.exported': 'exported what is held of a consumer',
  'subject.erased': 'erased what was held of a consumer',
  'subject.erased-again': 'erased a consumer again after a restore',
  'challenge.resent': 'sent a code again',
  'challenge.verified': 'verified a code',
  'evidence.issued': 'issued evidence of a report',
  'sms.settled': 'settled the charge of a text message',
  'token.issued': 'got an access token',
  'person.signed-in': 'signed in',
  'person.signed-out': 'signed out',
  'person.sign-in-failed': 'noted a sign-in that failed',
  'person.proof-failed': 'noted a wrong password',
  'person.enabled': 'enabled the account of a person',
  'person.disabled': 'disabled the account of a person',
  'credential.created': 'made a credential',
  'credential.changed': 'changed a credential',
  'credential.refused': 'refused to own a credential',
  'credential.secret-added': 'added a secret to a credential',
  'credential.secret-ended': 'ended a secret of a credential',
  'credential.keys-replaced': 'replaced the keys of a credential',
  'credential.keys-ended': 'ended keys of a credential',
  'member.invited': 'invited a person',
  'member.joined': 'joined the company',
  'member.changed': 'changed the role of a person',
  'member.removed': 'removed a person',
  'invitation.revoked': 'withdrew an invitation',
  'factor.added': 'added a second factor',
  'factor.removed': 'removed a second factor',
  'password.changed': 'changed a password',
  'password.reset-link-made': 'made a link to reset a password',
  'factor.link-made': 'made a link to set up a first second factor',
  'factor.link-asked-for': 'asked for a link to set up a first second factor',
  'webhook.created': 'added a webhook endpoint',
  'webhook.changed': 'changed a webhook endpoint',
  'webhook.deleted': 'deleted a webhook endpoint',
  'webhook.disabled': 'disabled a webhook endpoint',
  'webhook.enabled': 'enabled a webhook endpoint',
  'webhook.replayed': 'sent events again to a webhook endpoint',
  'webhook.secret-rotated': 'replaced the secret of a webhook endpoint',
  'wallet.top-up': 'added funds to the wallet',
  'wallet.adjust': 'corrected the wallet',
  'price.changed': 'changed a price',
  'settings.changed': 'changed settings',
  'tenant.changed': 'changed the company',
  'vault-key.rotated': 'wrapped the keys of reports anew',
  'month-key.destroyed': 'destroyed the key of a month',
};

/** With the details that say what changed and name no person. */
export function sentenceOf({ action, details }: Sayable): string {
  const words = WORDS[action];
  if (words === undefined) return action;
  const { from, to } = details as { from?: unknown; to?: unknown };
  const isChange = typeof from === 'string' && typeof to === 'string';
  return isChange ? `${words} from ${from} to ${to}` : words;
}

/** The name of a detail as a label: `withBody` becomes `With body`. */
export function labelOf(detail: string): string {
  const words = detail.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the list can be narrowed to. */
export const ACTION_CHOICES: readonly (readonly [string, string])[] = [
  ['report.read', 'Reports read'],
  ['report.listed', 'Reports listed'],
  ['report.counted', 'Reports counted'],
  ['report.completed', 'Reports completed'],
  ['token.issued', 'Tokens issued'],
  ['credential.created', 'Credentials made'],
  ['credential.changed', 'Credentials changed'],
  ['credential.secret-added', 'Secrets added'],
  ['member.invited', 'People invited'],
  ['member.joined', 'People joined'],
  ['member.changed', 'Roles changed'],
  ['member.removed', 'People removed'],
  ['settings.changed', 'Settings changed'],
  ['subject.exported', 'Consumers exported'],
  ['subject.erased', 'Consumers erased'],
];
