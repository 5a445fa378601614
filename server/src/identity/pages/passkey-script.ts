// The one script of our pages: it shows the passkey buttons where the browser has passkeys, and puts what the device
// answers into a form. Everything else works without it.
export const PASSKEY_SCRIPT = `
(() => {
  const Key = window.PublicKeyCredential;
  if (!Key || !Key.parseRequestOptionsFromJSON || !Key.parseCreationOptionsFromJSON) return;
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
      } catch {
        note.textContent = 'That did not work. Nothing was changed; you can try again.';
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
