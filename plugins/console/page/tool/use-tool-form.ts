import { useMemo } from 'preact/hooks';
import type { ToolDetails } from '../../wire/tools.ts';
import type { Field } from '../form/field.ts';
import { fieldsOf } from '../form/fields-of.ts';
import { emptyForm, type FormState, filledForm, submissionOf } from '../form/form-state.ts';
import { useDraft } from '../hooks/use-draft.ts';

/** The form of a tool and its content. */
export interface ToolForm {
  readonly field: Field;
  readonly state: FormState;
  readonly setState: (state: FormState) => void;
}

/** A form with its content. */
interface Content {
  readonly schemaText: string;
  readonly field: Field;
  readonly state: FormState;
}

/** Returns the form of a tool, as it was left. When its schema changes, what was typed moves into the new form. */
export function useToolForm({ name, inputSchema }: ToolDetails): ToolForm {
  const schemaText = JSON.stringify(inputSchema);
  const [content, setContent] = useDraft<Content>(`form:${name}`);
  // By its text: the same tool that is read again keeps its form.
  const untouched = useMemo(() => {
    const field = fieldsOf(inputSchema);
    return { field, state: emptyForm(field) };
  }, [schemaText]);
  const { field, state } =
    content?.schemaText === schemaText ? content : { ...untouched, ...(content && { state: moved(content, untouched.field) }) };
  return { field, state, setState: (next) => setContent({ schemaText, field, state: next }) };
}

function moved({ field, state }: Content, to: Field): FormState {
  return filledForm(to, submissionOf(field, state).parameters, state.mode);
}
