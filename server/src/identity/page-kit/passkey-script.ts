// The part of the page's script that talks to the person's device. It shows the passkey buttons where the browser supports
// passkeys, puts the device's answer into a form, and says why a passkey cannot work.
export const PASSKEY_SCRIPT = `
(() => {
  const Key = window.PublicKeyCredential;
  if (!Key || !Key.parseRequestOptionsFromJSON || !Key.parseCreationOptionsFromJSON) {
    for (const note of document.querySelectorAll('[data-passkey-absent]')) {
      note.textContent = window.isSecureContext
        ? 'This browser does not support passkeys. Use a newer browser, or an authenticator app.'
        : 'Passkeys need an address that begins with https, and this one does not. Use an authenticator app instead.';
      note.hidden = false;
    }
    return;
  }
  const again = ' Nothing was changed; you can try again.';
  const reasons = {
    NotAllowedError: 'It was cancelled, or took too long.' + again,
    InvalidStateError: 'This device already holds one of your passkeys.',
    NotSupportedError: 'This device cannot use passkeys: they need a screen lock, such as a PIN or a fingerprint.',
    SecurityError: 'Passkeys work only at the address of this service, and this page was opened at another one.',
  };
  reasons.ConstraintError = reasons.NotSupportedError;
  let waiting;
  const ask = async (form, extra) => {
    const options = JSON.parse(form.dataset.options);
    const credential = form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: Key.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: Key.parseRequestOptionsFromJSON(options), ...extra });
    form.elements.answer.value = JSON.stringify(credential.toJSON());
    form.submit();
  };
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    for (const hidden of document.querySelectorAll('[data-needs-passkey]')) hidden.hidden = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const note = form.querySelector('[role=status]');
      note.textContent = '';
      if (waiting) waiting.abort();
      try {
        await ask(form, {});
      } catch (error) {
        note.textContent = reasons[error.name] || 'That did not work.' + again;
      }
    });
    if (form.dataset.passkey === 'fill' && Key.isConditionalMediationAvailable) {
      Key.isConditionalMediationAvailable().then((isThere) => {
        if (!isThere) return;
        waiting = new AbortController();
        ask(form, { mediation: 'conditional', signal: waiting.signal }).catch(() => {});
      });
    }
  }
})();
`;
