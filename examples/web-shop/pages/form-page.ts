// The product and the form. Every form gets an order id of its own when it is made: a double click then sends one id twice.
import { type Faults, type Field, type Form, TRIALS } from '../request-of-form.ts';
import { type Html, html, layout } from './html.ts';

export type FormPage = {
  readonly orderId: string;
  readonly form: Partial<Form>;
  readonly faults: Faults;
  /** The origin that serves the fingerprint script. */
  readonly trefoilOrigin: string;
  readonly isTest: boolean;
};

type Input = {
  readonly name: Field;
  readonly label: string;
  readonly autocomplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly hint?: string;
  readonly isOptional?: boolean;
};

export function formPage({ orderId, form, faults, trefoilOrigin, isTest }: FormPage): string {
  const fault = (name: Field) =>
    faults[name] ? html`<p class="fault" id="${name}-fault">${faults[name]}</p>` : undefined;

  function described(name: Field, hasHint: boolean): Html | undefined {
    const ids = [...(hasHint ? [`${name}-hint`] : []), ...(faults[name] ? [`${name}-fault`] : [])];
    const invalid = faults[name] ? html` aria-invalid="true"` : undefined;
    return html`${ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : undefined}${invalid}`;
  }

  const input = ({ name, label, autocomplete, type = 'text', hint, isOptional = false }: Input) => html`
        <div class="field">
          <label for="${name}">${label}</label>
          ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined}${fault(name)}
          <input id="${name}" name="${name}" type="${type}" value="${form[name] ?? ''}" maxlength="254"
            autocomplete="${autocomplete}"${isOptional ? undefined : html` required`}${described(name, hint !== undefined)}>
        </div>`;

  const datePart = (name: Field, label: string, autocomplete: string, length: number) => html`
            <div>
              <label for="${name}">${label}</label>
              <input id="${name}" name="${name}" value="${form[name] ?? ''}" class="digits-${length}" required inputmode="numeric"
                maxlength="${length}" autocomplete="${autocomplete}"${faults.birthDay ? html` aria-invalid="true"` : undefined}>
            </div>`;

  const trials = html`
        <div class="field">
          <label for="trial">For developers: what shall happen?</label>
          <select id="trial" name="trial">
            ${Object.entries(TRIALS).map(
              ([name, { words }]) =>
                html`<option value="${name}"${form.trial === name ? html` selected` : undefined}>${words}</option>`,
            )}
          </select>
        </div>`;

  const first = Object.keys(faults)[0];
  const summary = html`
      <div class="notice bad" role="alert">
        <p><strong>Please correct what is marked.</strong></p>
        ${first ? html`<p><a href="#${first}">Go to the first mistake</a></p>` : undefined}
      </div>`;

  const body = html`
      <section class="product" aria-labelledby="product">
        <svg viewBox="0 0 240 120" role="img" aria-label="A cargo bike with a box in front">
          <g fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
            <circle cx="46" cy="88" r="24"/><circle cx="200" cy="94" r="18"/>
            <path d="M46 88 78 40h32l-18 48H46m32-48-6-14h-12m50 14 22 54h68m-90-54-4-18h12"/>
            <path class="box" d="M128 52h84l-12 34h-62z"/>
          </g>
        </svg>
        <h1 id="product">The Carrier, from £79 a month</h1>
        <p>With a personal contract purchase over 36 months. Before we can offer it, we look at your credit file.</p>
      </section>
      <form method="post" action="/orders" id="order-form">
        <h2>Your details</h2>
        ${first ? summary : undefined}
        <input type="hidden" name="orderId" value="${orderId}">
        <input type="hidden" name="sessionId" id="sessionId" value="">
        ${input({ name: 'firstName', label: 'First name', autocomplete: 'given-name' })}
        ${input({ name: 'lastName', label: 'Last name', autocomplete: 'family-name' })}
        <fieldset class="field"${described('birthDay', true)}>
          <legend>Date of birth</legend>
          <p class="hint" id="birthDay-hint">For example, 9 3 1984</p>${fault('birthDay')}
          <div class="date">${datePart('birthDay', 'Day', 'bday-day', 2)}${datePart('birthMonth', 'Month', 'bday-month', 2)}${datePart('birthYear', 'Year', 'bday-year', 4)}
          </div>
        </fieldset>
        <h2>Where you live</h2>
        ${input({ name: 'building', label: 'House number or name', autocomplete: 'off' })}
        ${input({ name: 'street', label: 'Street (optional)', autocomplete: 'address-line1', isOptional: true })}
        ${input({ name: 'townOrCity', label: 'Town or city', autocomplete: 'address-level2' })}
        ${input({ name: 'postcode', label: 'Postcode', autocomplete: 'postal-code' })}
        <h2>How we reach you</h2>
        ${input({ name: 'mobileNumber', label: 'Mobile number', autocomplete: 'tel', type: 'tel', hint: 'We may send a code to it' })}
        ${input({ name: 'email', label: 'E-mail address', autocomplete: 'email', type: 'email' })}
        ${isTest ? trials : undefined}
        <p class="hint">When you continue, we ask up to three credit bureaus about you, and they record a search. We also check
          properties of your device, to prevent fraud.</p>
        <button type="submit">Check my credit file</button>
        <p class="wait" role="status" id="wait"></p>
      </form>`;

  // The function must be registered before the script calls it, and in a file of its own: the policy allows no inline script.
  const head = html`
    <script src="/device-session.js"></script>
    <script async src="${trefoilOrigin}/v1/fingerprints/device"></script>
    <script defer src="/form.js"></script>`;
  return layout({ title: first ? 'Error: your details' : 'Your details', body, head, isTest });
}
