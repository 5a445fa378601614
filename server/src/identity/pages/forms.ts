// Parts of forms: fields with their label, hint and error tied together, and the summary of errors that takes the focus.
import { type Html, html } from './html.ts';

/** Errors by the name of their field; the name '' is for what belongs to no field. */
export type FormErrors = Readonly<Record<string, string>>;

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  /** A number to type: with the keyboard of digits on a telephone. */
  readonly isCode?: boolean;
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
};

export function field(field: Field, errors: FormErrors = {}): Html {
  const { name, label, type = 'text', autocomplete, value, hint, isCode, hasFocus, maxLength = 256 } = field;
  const error = errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const isPlain = isCode || type !== 'text' || autocomplete === 'off';
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="${maxLength}"${
    value !== undefined && html` value="${value}"`
  }${isCode && html` inputmode="numeric" class="code"`}${isPlain && html` autocapitalize="none" spellcheck="false"`}${
    described !== '' && html` aria-describedby="${described}"`
  }${error && html` aria-invalid="true"`}${hasFocus && Object.keys(errors).length === 0 && html` autofocus`}>
</div>`;
}

/** Takes the focus when the page opens, so that whoever cannot see the page hears first what went wrong. */
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

/** A form whose answer comes from the person's device; the script shows it where it can work. */
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
