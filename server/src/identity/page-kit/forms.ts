// Parts of forms: fields with their label, hint and error tied together, and the summary of errors that takes the focus.
import { type Html, html } from './html.ts';

/** Errors by field name; the name '' holds errors that belong to no field. */
export type FormErrors = Readonly<Record<string, string>>;

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  /** A number to type: phones show the digit keyboard. */
  readonly isCode?: boolean;
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
};

export function field(field: Field, errors: FormErrors = {}): Html {
  const { name, label, hint } = field;
  const error = errors[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
${input(field, errors)}
</div>`;
}

function input(field: Field, errors: FormErrors): Html {
  const { name, type = 'text', autocomplete, value, hint, isCode, hasFocus, maxLength = 256 } = field;
  const error = errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const isPlain = isCode || type !== 'text' || autocomplete === 'off';
  const box = html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="${maxLength}"${
    value !== undefined && html` value="${value}"`
  }${isCode && html` inputmode="numeric" class="code"`}${isPlain && html` autocapitalize="none" spellcheck="false"`}${
    described !== '' && html` aria-describedby="${described}"`
  }${error && html` aria-invalid="true"`}${hasFocus && Object.keys(errors).length === 0 && html` autofocus`}>`;
  if (type !== 'password') return box;
  return html`<div class="beside">${box}
<button type="button" class="second" hidden data-shows="${name}" aria-label="Show password">Show</button></div>`;
}

/** Takes the focus when the page opens, so that a screen reader first reads out what went wrong. */
export function errorSummary(errors: FormErrors): Html | undefined {
  const entries = Object.entries(errors);
  if (entries.length === 0) return undefined;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<ul>${entries.map(([name, text]) => (name === '' ? html`<li>${text}</li>` : html`<li><a href="#${name}">${text}</a></li>`))}</ul>
</div>`;
}

export function done(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<div class="done" role="status"><h2>${text}</h2></div>`;
}

/** Says why a passkey cannot be used: the script's reason, or that there is no script. */
export function passkeyAbsence(): Html {
  return html`<noscript><p class="quiet">Passkeys need JavaScript, which is off in this browser.</p></noscript>
<p class="quiet" hidden data-passkey-absent></p>`;
}

/** A form that the person's device fills in; the script shows it where it can work. */
export function passkeyForm(form: {
  readonly kind: 'create' | 'get' | 'fill';
  readonly action: string;
  readonly options: object;
  readonly label: string;
  readonly fields?: Html;
  readonly isMain?: boolean;
}): Html {
  return html`<form method="post" action="${form.action}" hidden data-needs-passkey data-passkey="${form.kind}" data-options="${JSON.stringify(form.options)}">
${form.fields}
<input type="hidden" name="answer" value="">
<button class="${form.kind !== 'create' && 'full'}${!form.isMain && ' second'}">${form.label}</button>
<p role="status" class="hint"></p>
</form>`;
}
