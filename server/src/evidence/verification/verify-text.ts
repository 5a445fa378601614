// VERIFY.txt: how to verify a report with tools that are not ours. A test runs the lines that it shows. It is not signed, so
// the verifier recognises it: a changed one could send its reader to a forger's address.

/** Every line that begins with four spaces is a command. If you change the text, add its digest to `isVerifyText`. */
export function verifyText({ issuer, kid }: { readonly issuer: string; readonly kid: string }): string {
  return `HOW TO VERIFY THIS REPORT WITHOUT TRUSTING THE FILE

The easy way: open the verification page (its address and its QR code are in the
report) and choose this file there. The page does not upload it.

The independent way needs openssl 3 and, for a PDF, pdfdetach (poppler-utils).
Put the PDF into an empty folder, as report.pdf, and type there the lines that
begin with four spaces. If a line fails, or does not print what is said here,
stop: the report is not verified.

1. Get our public key. Check that the address is really ours: do not take it
   from this file alone.

    curl -sSf -o ${kid}.pem ${issuer}/.well-known/trefoil-evidence/${kid}.pem

   ${issuer}/.well-known/trefoil-evidence-keys.json
   says from when until when the key signed, and whether it was revoked.

2. Take these four files out of the PDF, and no others: a forger could attach a
   file that puts itself in the place of the key.

    pdfdetach -savefile statement.json -o statement.json report.pdf
    pdfdetach -savefile statement.sig -o statement.sig report.pdf
    pdfdetach -savefile report.json -o report.json report.pdf
    pdfdetach -savefile provenance.json -o provenance.json report.pdf

3. Verify the signature of the statement. It must print
   "Signature Verified Successfully".

    openssl pkeyutl -verify -pubin -inkey ${kid}.pem -rawin -in statement.json -sigfile statement.sig

4. Verify that the statement names the other files. Each line must print 1.

    grep -c "\\"name\\":\\"report.json\\",\\"sha256\\":\\"$(openssl dgst -sha256 -r report.json | cut -c1-64)\\"" statement.json
    grep -c "\\"name\\":\\"provenance.json\\",\\"sha256\\":\\"$(openssl dgst -sha256 -r provenance.json | cut -c1-64)\\"" statement.json

What this proves: our key signed this data and it has not changed since; which
bytes each credit reference agency sent us (bureauReplies); the place of the
report in the audit log of the company that asked for it (audit).

What it does not prove: that an agency's data are right or complete; who held
the phone; the exact time to a court's standard; or anything about the pages.
The signed data count, and the pages are a picture of them. Only the
verification page can tell whether the pages are the ones that we issued.
`;
}

/**
 * Whether this release or an earlier one wrote the text for this statement. The verification page runs the function too, so it
 * is whole in itself (verifier.ts).
 */
export async function isVerifyText(
  sha256Of: (bytes: Uint8Array) => Promise<string>,
  bytes: Uint8Array,
  { issuer, kid }: { readonly issuer: string; readonly kid: string },
): Promise<boolean> {
  // Every text that a release wrote, oldest first, with {issuer} and {kid} in the places of the two.
  const published = ['5a8caa153fc15f049b8c63d930fb58363265b4956bf94234e60031fd88c8d54f'];
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.includes('{issuer}') || text.includes('{kid}')) return false;
  const template = text.replaceAll(issuer, '{issuer}').replaceAll(kid, '{kid}');
  return published.includes(await sha256Of(new TextEncoder().encode(template)));
}
