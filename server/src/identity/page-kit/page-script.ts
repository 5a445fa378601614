// The only script of our pages. It adds what a page does not promise without it: passkeys, showing a password, copying
// codes, times in the reader's zone. Controls that need the script are hidden until it shows them.
import { PASSKEY_SCRIPT } from './passkey-script.ts';

const PASSWORDS = `
(() => {
  for (const button of document.querySelectorAll('[data-shows]')) {
    const input = document.getElementById(button.dataset.shows);
    const set = (isShown) => {
      input.type = isShown ? 'text' : 'password';
      button.textContent = isShown ? 'Hide' : 'Show';
      button.setAttribute('aria-label', isShown ? 'Hide password' : 'Show password');
    };
    button.hidden = false;
    button.addEventListener('click', () => set(input.type === 'password'));
    // Browsers remember what was typed into a field of plain text.
    input.form.addEventListener('submit', () => set(false));
  }
})();
`;

const COPYING = `
(() => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('[data-copies]')) {
    const lines = [...document.getElementById(button.dataset.copies).children].map((line) => line.textContent);
    const note = document.getElementById(button.getAttribute('aria-describedby'));
    button.hidden = false;
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(lines.join('\\n')).then(
        () => { note.textContent = 'The codes are copied.'; },
        () => { note.textContent = 'The browser did not allow it. Select the codes and copy them yourself.'; },
      );
    });
  }
})();
`;

/** Writes times as page-time.ts does, in the reader's zone. */
const TIMES = `
(() => {
  const day = { day: 'numeric', month: 'long', year: 'numeric' };
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    const words = (timeZoneName) =>
      at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName });
    const short = words('short');
    const hasName = !/(GMT|UTC)[+-]/.test(short);
    time.textContent = at.toLocaleDateString('en-GB', day) + ', ' + (hasName ? short : words('long'));
  }
})();
`;

export const PAGE_SCRIPT = `${PASSWORDS}${COPYING}${TIMES}${PASSKEY_SCRIPT}`;
