import type { Field, FieldValue } from './field.ts';
import { parametersToText, parseExactly, textToParameters } from './parameters-text.ts';
import { initialValue, parametersToValues } from './parameters-to-values.ts';
import { valuesToParameters } from './values-to-parameters.ts';

/** The content of a form, and of the JSON beside it. */
export interface FormState {
  readonly mode: 'form' | 'json';
  readonly value: FieldValue;
  readonly text: string;
  /** The content and the text at the last switch: what was not changed since is kept as it was typed. */
  readonly synced?: { readonly value: FieldValue; readonly text: string };
  /** The reason why the JSON cannot become a form. Absent without one. */
  readonly problem?: string;
}

/** Returns the state of an untouched form. */
export function emptyForm(field: Field): FormState {
  return { mode: 'form', value: initialValue(field), text: '' };
}

/** Returns a form with the parameters of an example. It stays in its mode. */
export function filledForm(field: Field, parameters: unknown, mode: FormState['mode']): FormState {
  const text = parametersToText(parameters);
  // Read again, so that a large integer is a text of its digits here as well.
  return { mode, value: parametersToValues(field, parseExactly(text)), text };
}

/** Switches between form and JSON. JSON that is no object stays, with the reason. */
export function switchedForm(field: Field, { mode, value, text, synced }: FormState): FormState {
  if (mode === 'form') {
    const newText = synced?.value === value ? synced.text : parametersToText(valuesToParameters(field, value).parameters);
    return { mode: 'json', value, text: newText, synced: { value, text: newText } };
  }
  if (synced?.text === text) return { mode: 'form', value: synced.value, text, synced };
  const parsed = textToParameters(text);
  if ('problem' in parsed) return { mode, value, text, ...(synced && { synced }), problem: parsed.problem };
  const newValue = parametersToValues(field, parsed.parameters);
  return { mode: 'form', value: newValue, text, synced: { value: newValue, text } };
}

/** The parameters to send, or the sentences that say what is missing. */
export interface Submission {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly issues: ReadonlyMap<string, string>;
}

/** Returns the parameters of a form in its present mode. JSON is checked by the server. */
export function submissionOf(field: Field, state: FormState): Submission {
  if (state.mode === 'form') return valuesToParameters(field, state.value);
  const parsed = textToParameters(state.text);
  return 'problem' in parsed
    ? { parameters: {}, issues: new Map([['', parsed.problem]]) }
    : { parameters: parsed.parameters, issues: new Map() };
}
