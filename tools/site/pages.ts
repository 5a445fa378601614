// Which files of the repository are pages of the documentation site, in the order of its sidebar. A file that does not
// exist (yet) is left out.

export type PageSource = {
  /** The page's address below /docs; empty for the first page. */
  readonly slug: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The words in the sidebar, where the title is too long for it. */
  readonly label?: string;
};

export type Section = { readonly label: string; readonly pages: readonly PageSource[] };

export const SECTIONS: readonly Section[] = [
  {
    label: 'Start',
    pages: [
      { slug: '', file: 'docs/site/index.md', label: 'Overview' },
      { slug: 'quickstart', file: 'docs/site/quickstart.md' },
      { slug: 'otp-journey', file: 'docs/site/otp-journey.md' },
      { slug: 'money', file: 'docs/site/money.md' },
    ],
  },
  {
    label: 'Test',
    pages: [
      // Until there was one page, /docs/test-values was another; the server leads from there to here.
      { slug: 'sandbox', file: 'docs/guides/sandbox.md', label: 'Test values' },
    ],
  },
  {
    label: 'Build',
    pages: [
      { slug: 'integrate', file: 'docs/guides/integrate.md', label: 'Rules for every client' },
      { slug: 'credentials', file: 'docs/guides/credentials.md' },
      { slug: 'client-library', file: 'sdk/README.md', label: 'Client library' },
      { slug: 'fingerprint-script', file: 'docs/guides/add-the-fingerprint-script.md', label: 'Fingerprint script' },
      { slug: 'events', file: 'docs/guides/events.md' },
      { slug: 'webhooks', file: 'docs/guides/webhooks.md' },
      { slug: 'webhook-receivers', file: 'examples/receivers/README.md', label: 'Webhook receivers' },
      { slug: 'documents', file: 'docs/guides/documents.md' },
      { slug: 'console', file: 'docs/guides/console.md' },
      { slug: 'evidence', file: 'docs/guides/evidence.md', label: 'Evidence' },
      { slug: 'usage', file: 'docs/guides/usage.md', label: 'Usage' },
      { slug: 'settings', file: 'docs/guides/settings.md', label: 'Settings' },
      { slug: 'subjects', file: 'docs/guides/subjects.md', label: 'A consumer’s rights' },
      { slug: 'limits', file: 'docs/site/limits.md' },
      { slug: 'versioning', file: 'docs/site/versioning.md' },
      { slug: 'changes', file: 'CHANGELOG.md', label: 'Changes' },
    ],
  },
  {
    label: 'Go live',
    pages: [
      { slug: 'going-live', file: 'docs/site/going-live.md' },
      { slug: 'security-and-privacy', file: 'docs/site/security-and-privacy.md' },
      { slug: 'privacy', file: 'docs/operate/privacy.md', label: 'Privacy in detail' },
      { slug: 'security', file: 'docs/operate/security.md', label: 'Security, line by line' },
      { slug: 'report-a-vulnerability', file: 'SECURITY.md', label: 'Report a vulnerability' },
    ],
  },
  {
    // For operators: alerts link to the runbook here (deploy/prometheus).
    label: 'Operate',
    pages: [
      { slug: 'monitoring', file: 'docs/operate/monitoring.md' },
      { slug: 'runbook', file: 'docs/operate/runbook.md' },
    ],
  },
];

export const addressOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`);
