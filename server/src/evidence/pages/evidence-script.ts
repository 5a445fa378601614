// The script of the verification page. It verifies the chosen file in the page with the functions of the command line, asks us
// only whether a file with its digest was issued, and says in words what it found.
import { VERIFIER_SCRIPT } from '../verification/verifier.ts';

const WORDS = `
const altered = 'This file was altered';
const notRely = ' Do not rely on it.';
const when = (instant) => new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const words = {
  issued: () => ['This very file was issued by us', 'Every byte of it is as we issued it, its pages included.'],
  data: () => ['The signed data are genuine', 'Nothing in them has changed since we signed them.'],
  pages: () => ['The signed data inside are genuine, but the pages are not the ones that we issued',
    'Do not rely on what the pages show. The file was changed or saved again; only the attached data are as we signed them.'],
  'statement-altered': () => [altered, 'Its signature does not belong to its statement.' + notRely],
  'file-altered': ({ wrongFiles }) => [altered, 'Not as we signed: ' + wrongFiles.join(', ') + '.' + notRely],
  'file-swapped': ({ wrongFiles }) => ['Files in this document were swapped',
    'The statement is genuine, but it was signed for other files than these: ' + wrongFiles.join(', ') + '.' + notRely],
  'unknown-key': () => ['We did not sign this', 'It names a key that is none of ours.' + notRely],
  'revoked-key': ({ revokedAt, isSignedBeforeRevocation }) => ['The key that signed this was withdrawn',
    'We withdrew it on ' + when(revokedAt) + '. The file says that it was signed ' +
    (isSignedBeforeRevocation ? 'before' : 'after') + ' that, but a thief of the key can write any time.' + notRely],
  'key-not-valid': () => ['The key that signed this was not in use at that time',
    'The time of the signature is outside the time in which we used the key.' + notRely],
  other: () => ['This is another document', 'Its signed data are genuine, but this page is about another document.'],
  foreign: ({ reason }) => ['This file was not issued by us under this address',
    'It was altered, or it is another document: ' + reason + '.' + notRely],
  unchecked: () => ['This file could not be checked', 'This browser could not do it. That says nothing about the file: try another browser.'],
  large: () => ['This file is too large', 'No document of ours is larger than 20 megabytes.'],
  busy: () => ['Too many tries from this network', 'Wait a minute, then choose the file again.'],
  unasked: () => ['We could not be asked', 'Check your connection, then choose the file again.'],
};
`;

const PAGE = `
(async () => {
  const section = document.querySelector('[data-evidence]');
  if (!section) return;
  const evidence = JSON.parse(section.dataset.evidence);
  const input = document.getElementById('document');
  const result = section.querySelector('[data-result]');
  const fragment = /^#([0-9a-f]{32})$/.exec(location.hash)?.[1];
  document.querySelector('[data-fragment]').hidden = !fragment || evidence.statementSha256.startsWith(fragment);
  /** Not every browser knows the kind of our keys. */
  const canVerify = async () => {
    if (!window.isSecureContext || !window.DecompressionStream) return false;
    const [{ kty, crv, x }] = evidence.keys;
    return crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']).then(() => true, () => false);
  };
  if (!(await canVerify())) {
    const note = section.querySelector('[data-unable]');
    note.textContent = 'This browser cannot verify files here. Use a newer one, at an address that begins with https.';
    note.hidden = false;
    return;
  }
  section.querySelector('[data-verification]').hidden = false;

  const show = (kind, details, link) => {
    const [title, text] = words[kind](details);
    const [box, heading, paragraph] = ['div', 'h3', 'p'].map((name) => document.createElement(name));
    box.className = kind === 'issued' || kind === 'data' ? 'done' : 'summary';
    heading.textContent = title;
    paragraph.textContent = text;
    if (link) {
      const anchor = document.createElement('a');
      anchor.href = link;
      anchor.textContent = 'Open its own page';
      paragraph.append(' ', anchor);
    }
    box.append(heading, paragraph);
    box.dataset.kind = kind;
    result.replaceChildren(box);
  };

  const askIssued = async (sha256) => {
    const answer = await fetch('/v/' + evidence.evidenceId + '/digest', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ sha256 }),
    });
    if (answer.status === 429) return 'busy';
    return answer.ok ? (await answer.json()).isIssued : 'unasked';
  };

  /** What to show: the kind, its details, a link. */
  const judge = async (file, note) => {
    if (file.size > 20_000_000) return ['large'];
    const bytes = new Uint8Array(await file.arrayBuffer());
    const issued = await askIssued(await verifier.sha256Of(bytes)).catch(() => 'unasked');
    if (typeof issued === 'string') return [issued];
    note.isIssued = issued;
    let read;
    try {
      read = await verifier.read(bytes);
    } catch (error) {
      return issued ? ['issued'] : ['foreign', { reason: error.message }];
    }
    const finding = await verifier.verify(read, evidence.keys);
    if (finding.verdict !== 'good') return [finding.verdict, finding];
    const { evidenceId, issuer } = finding.statement;
    const isOther = evidenceId !== evidence.evidenceId || finding.statementSha256 !== evidence.statementSha256;
    if (isOther) return ['other', finding, issuer === evidence.issuer && '/v/' + encodeURIComponent(evidenceId)];
    return [issued ? 'issued' : read.form === 'json' ? 'data' : 'pages'];
  };

  let last;
  input.addEventListener('change', async () => {
    const [file] = input.files;
    const turn = (last = {});
    result.replaceChildren();
    if (!file) return;
    const found = await judge(file, turn).catch(() => [turn.isIssued ? 'issued' : 'unchecked']);
    // Of two files that are chosen quickly, the first may be judged last.
    if (turn === last) show(...found);
  });
})();
`;

export const VERIFICATION_SCRIPT = `${VERIFIER_SCRIPT}${WORDS}${PAGE}`;
