import type { VNode } from 'preact';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';
import type { Field, FieldValue } from './field.ts';
import { limitWords } from './limit-words.ts';

/** The things that each field of a form needs. */
export interface FormContext {
  /** Returns the issue of a field that is shown: after it was left, or after an attempt to call. */
  readonly issueOf: (path: string) => string | undefined;
  /** Called when a field is left. */
  readonly onLeave: (path: string) => void;
  /** Draws a field of any kind, also within another one. */
  readonly FieldView: (props: FieldViewProps) => VNode;
}

/** `isBare`: the members of an object without a frame around them. */
export type FieldViewProps = FieldProps & { readonly isBare?: boolean };

export interface FieldProps<F extends Field = Field> {
  readonly field: F;
  readonly value: FieldValue;
  readonly path: string;
  /** Name where the field has none of its own, such as `Item 2`. */
  readonly title?: string | undefined;
  readonly context: FormContext;
  readonly onChange: (value: FieldValue) => void;
}

/** Returns the name of a field with a mark for a required one. */
export function labelOf({ field, title }: Pick<FieldProps, 'field' | 'title'>): VNode {
  const isOptional = title === undefined && !field.isRequired;
  return html`<span class="mono">${title ?? shownLine(field.name)}</span>${isOptional ? html` <span class="optional">optional</span>` : ''}`;
}

/** Returns the texts below a field: its description, its limits and its default. Undefined without any. */
export function hintOf(field: Field): string | undefined {
  const preset = field.default === undefined ? '' : `Without it: ${JSON.stringify(field.default.value)}`;
  const limits = limitWords(field);
  const texts = [field.description, capitalized(limits), preset].filter((text): text is string => text !== undefined && text !== '');
  return texts.length === 0 ? undefined : shownLine(texts.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' '));
}

function capitalized(text: string): string {
  return text.startsWith('matches ') || text === '' ? text.replace(/^m/, 'M') : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
