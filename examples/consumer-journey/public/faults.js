// What is wrong with a form: a summary that takes the focus, with a link to each field, and the same words at the field.
import { find } from './steps.js';

/** Below the summary of each form, in the same section. */
const SUMMARIES = { details: 'faults', 'code-form': 'code-faults' };

/** A field of several inputs, such as a date, names those that are wrong. */
const inputsOf = (field, parts) => (parts ? parts.map((part) => find(`${field}-${part}`)) : [find(field)]);

const describe = (input, ...ids) => {
  const known = [`${input.id}-hint`, ...ids].filter((id) => find(id));
  if (known.length > 0) input.setAttribute('aria-describedby', known.join(' '));
  else input.removeAttribute('aria-describedby');
};

export function clearFaults(formId) {
  find(SUMMARIES[formId]).hidden = true;
  for (const error of find(formId).querySelectorAll('.error')) error.remove();
  for (const input of find(formId).querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    describe(input);
  }
  document.title = document.title.replace(/^Error: /, '');
}

/** By field: a sentence, or `{ text, parts }`. */
export function showFaults(formId, faults) {
  clearFaults(formId);
  const summary = find(SUMMARIES[formId]);
  const items = Object.entries(faults).map(([field, fault]) => {
    const { text = fault, parts } = fault;
    const error = Object.assign(document.createElement('p'), {
      className: 'error',
      id: `${field}-error`,
      textContent: text,
    });
    find(field).before(error);
    const inputs = inputsOf(field, parts);
    for (const input of inputs) {
      input.setAttribute('aria-invalid', 'true');
      describe(input, error.id);
    }
    const link = Object.assign(document.createElement('a'), { href: `#${inputs[0].id}`, textContent: text });
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  summary.querySelector('ul').replaceChildren(...items);
  summary.hidden = false;
  summary.focus();
  document.title = `Error: ${document.title}`;
}
