/** A value of JSON that a schema names. */
export interface Option {
  readonly value: unknown;
  readonly label: string;
}

interface FieldBase {
  /** Name of the parameter; empty for the item of a list, a choice and the whole form. */
  readonly name: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Value that the tool takes when nothing is sent. Absent without one. */
  readonly default?: { readonly value: unknown };
}

/** Formats of texts that are checked. Others are only shown. */
export type TextFormat = 'date' | 'date-time' | 'uri' | 'email';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly format?: TextFormat;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** The texts that the pattern takes, in words. */
  readonly patternDescription?: string;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  /** True where an integer beyond ±(2^53−1) is sent as a text of its digits. */
  readonly takesDigits: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly above?: number;
  readonly below?: number;
  readonly multipleOf?: number;
}

/** One of some values: a boolean, an `enum` or a `const`. */
export interface OptionField extends FieldBase {
  readonly kind: 'option';
  readonly options: readonly Option[];
}

export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly item: Field;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly isUnique: boolean;
}

export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  readonly members: readonly Field[];
  /** True where the schema allows members that it does not name. */
  readonly takesOthers: boolean;
}

/** One of several schemas: `oneOf`, `anyOf`, or several types. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly choices: readonly { readonly label: string; readonly field: Field }[];
}

/** A part that is written as JSON. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** Types of JSON Schema that it takes; empty for each. */
  readonly types: readonly string[];
}

export type Field = TextField | NumberField | OptionField | ListField | ObjectField | ChoiceField | JsonField;

/** Members of a field that have nothing to do with its kind. */
export type FieldFrame = FieldBase;

/** The content of a field. `json`: written as JSON, because the field is such a one or because the value fits no other input. */
export type FieldValue =
  | { readonly kind: 'unset' }
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'list'; readonly items: readonly FieldValue[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, FieldValue>; readonly others: string }
  | { readonly kind: 'choice'; readonly index: number; readonly value: FieldValue }
  | { readonly kind: 'json'; readonly text: string };

export const unset: FieldValue = { kind: 'unset' };
