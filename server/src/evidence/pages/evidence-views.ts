// The verification page: what was issued, and a field for a file that stays on the reader's device. The only name on it is
// that of the company that the report was made for.
import { type Html, html } from '../../identity/page-kit/html.ts';
import { createPageScript, type Page } from '../../identity/page-kit/layout.ts';
import { noticeView } from '../../identity/page-kit/notice-views.ts';
import { time } from '../../identity/page-kit/page-time.ts';
import type { PublicEvidence } from '../find-evidence.ts';
import type { PublishedKey } from '../verification/published-keys.ts';
import { VERIFICATION_SCRIPT } from './evidence-script.ts';

const SCRIPT = createPageScript(VERIFICATION_SCRIPT);

/** The same for every id that is not known, well formed or not. */
export const UNKNOWN_EVIDENCE: Page = noticeView({
  title: 'We know no such document',
  text: 'No document that we issued has this address. Check the address at the end of the document, or scan its code again.',
});

const line = (name: string, value: Html | string): Html => html`<li><span>${name}<small>${value}</small></span></li>`;

function keyState(key: PublishedKey | undefined): Html {
  if (!key) return html`This key is no longer published. Treat the document with care.`;
  if (key.revokedAt === null) return html`In order.`;
  return html`Withdrawn on ${time(new Date(key.revokedAt))}.`;
}

function revokedNotice(issuedAt: Date, { revokedAt }: PublishedKey): Html | undefined {
  if (revokedAt === null) return undefined;
  const order = issuedAt.getTime() < Date.parse(revokedAt) ? 'before' : 'after';
  return html`<div class="summary"><h2>The key that signed this document was withdrawn</h2>
<p>The document says that it was signed ${order} that. A thief of the key can write any time, so do not rely on the document
until the company has confirmed it.</p></div>`;
}

export function evidenceView(evidence: PublicEvidence, keys: readonly PublishedKey[]): Page {
  const { statement, statementSha256 } = evidence;
  const { evidenceId, issuer, kid } = statement;
  const key = keys.find((each) => each.kid === kid);
  const issuedAt = new Date(statement.issuedAt);
  const data = JSON.stringify({ evidenceId, issuer, statementSha256, keys });
  const body = html`<h1>Verify a document</h1>
${
  statement.isTest &&
  html`<div class="summary"><h2>This is a test document</h2><p>The accounts and figures are
invented; the name and addresses are those of the request.</p></div>`
}
${key && revokedNotice(issuedAt, key)}
<div class="summary" role="alert" hidden data-fragment><h2>The code that you scanned does not belong to this document</h2>
<p>The document that it is printed on is not the one that we issued under this address.</p></div>
<section class="card" aria-labelledby="issued">
<h2 id="issued">What we issued</h2>
<ul class="list">
${line('Issued by', `Trefoil, ${issuer}`)}
${line('For', statement.tenantName)}
${line('Report number', statement.creditReportId)}
${line('Report completed', time(new Date(statement.completedAt)))}
${line('Statement signed', time(issuedAt))}
${line('Key', html`<code>${kid}</code><br>${keyState(key)}`)}
</ul>
<p class="hint">This page shows nothing about the person whom the report is about.</p>
</section>
<section class="card" aria-labelledby="file" data-evidence="${data}">
<h2 id="file">Is your file the one that we issued?</h2>
<noscript><p>This needs JavaScript, which is off in this browser. The file VERIFY.txt, which is attached to the document, shows
how to verify it without this page.</p></noscript>
<p hidden data-unable></p>
<form hidden data-verification>
<div class="field"><label for="document">The PDF, or the evidence as JSON</label>
<p class="hint" id="document-hint">The file stays on your device. Your browser computes a number from it (SHA-256) and sends us only
that number.</p>
<input id="document" type="file" accept=".pdf,.json,application/pdf,application/json" aria-describedby="document-hint"></div>
</form>
<div role="status" data-result></div>
</section>`;
  return { title: 'Verify a document', body, script: SCRIPT };
}
