import { useMemo, useState } from 'preact/hooks';
import type { ToolDetails } from '../../wire/tools.ts';
import type { Field } from '../form/field.ts';
import { fieldsOf } from '../form/fields-of.ts';
import { emptyForm, type FormState, filledForm, submissionOf } from '../form/form-state.ts';

/** The form of a tool and its content. */
export interface ToolForm {
  readonly field: Field;
  readonly state: FormState;
  readonly setState: (state: FormState) => void;
}

/** Returns the form of a tool. When its schema changes, what was typed moves into the new form. */
export function useToolForm({ inputSchema }: ToolDetails): ToolForm {
  const schemaText = JSON.stringify(inputSchema);
  // By its text: the same tool that is read again keeps its form.
  const field = useMemo(() => fieldsOf(inputSchema), [schemaText]);
  const [content, setContent] = useState(() => ({ field, state: emptyForm(field) }));
  const state =
    content.field === field ? content.state : filledForm(field, submissionOf(content.field, content.state).parameters, content.state.mode);
  return { field, state, setState: (next) => setContent({ field, state: next }) };
}
