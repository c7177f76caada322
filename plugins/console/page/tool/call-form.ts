import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FormAnswer, FormCall, ToolDetails } from '../../wire/tools.ts';
import type { ApiError } from '../api.ts';
import { Button } from '../components/button.ts';
import { Section } from '../components/section.ts';
import { useConsole } from '../console-context.ts';
import { filledForm, submissionOf } from '../form/form-state.ts';
import { SchemaForm } from '../form/schema-form.ts';
import { shownLine } from '../formats/shown-text.ts';
import { counted } from '../formats/words.ts';
import { useDraft } from '../hooks/use-draft.ts';
import { html } from '../html.ts';
import { CallAs } from './call-as.ts';
import { CallResult } from './call-result.ts';
import { RunningCall } from './running-call.ts';
import { useToolForm } from './use-tool-form.ts';

/** A call of the form: none yet, one that runs, its answer, or the failure of the request. */
type Progress =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly as: FormCall['as'] }
  | { readonly kind: 'answer'; readonly answer: FormAnswer; readonly parameters: FormCall['parameters'] }
  | { readonly kind: 'failed'; readonly message: string };

const none: Progress = { kind: 'none' };

/** The form of a tool, its examples, and the result of its call. */
export function CallForm({
  tool,
  given,
}: {
  readonly tool: ToolDetails;
  /** Parameters of a call that is made again. @default an empty form */
  readonly given?: FormCall['parameters'] | undefined;
}): VNode {
  const { api, announce, notify } = useConsole();
  const { field, state, setState } = useToolForm(tool);
  // Drafts: a call that waits is approved on another page, from which its person comes back.
  const [as = 'model', setAs] = useDraft<FormCall['as']>(`as:${tool.name}`);
  const [isTried, setIsTried] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [progress = none, setProgress] = useDraft<Progress>(`call:${tool.name}`);
  const form = useRef<HTMLFormElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const needsConfirmation = as === 'operator' && tool.risk !== 'low';
  useEffect(() => {
    if (isAsking) confirm.current?.focus();
  }, [isAsking]);

  const isGiven = given !== undefined;
  useEffect(() => {
    if (isGiven) setState(filledForm(field, given, state.mode));
  }, [isGiven]);

  const call = async (parameters: FormCall['parameters'], as: FormCall['as']): Promise<void> => {
    setIsAsking(false);
    setProgress({ kind: 'running', as });
    announce('The call runs.');
    try {
      const answer = await api.post<FormAnswer>(`tools/${encodeURIComponent(tool.name)}/call`, { parameters, as } satisfies FormCall);
      setProgress({ kind: 'answer', answer, parameters });
      announce(answer.error === undefined ? 'The call completed.' : `The call ended with ${answer.error.code}.`);
    } catch (error) {
      setProgress({ kind: 'failed', message: (error as ApiError).message });
      announce('The call could not be sent.');
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (progress.kind === 'running') return;
    const { parameters, issues } = submissionOf(field, state);
    setIsTried(true);
    if (issues.size > 0) {
      setIsAsking(false);
      announce(`${counted(issues.size, 'field')} to correct.`);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .field-error')?.focus());
    } else if (needsConfirmation && !isAsking) setIsAsking(true);
    else void call(parameters, as);
  };
  const change: typeof setState = (next) => {
    setIsAsking(false);
    setState(next);
  };
  const choose = (next: FormCall['as']): void => {
    setIsAsking(false);
    setAs(next);
  };
  const fill = (parameters: unknown): void => {
    setIsTried(false);
    change(filledForm(field, parameters, state.mode));
    notify('The example is in the form.');
  };
  const count = isTried ? submissionOf(field, state).issues.size : 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    if (event.key === 'Escape' && isAsking) setIsAsking(false);
  };
  return html`<${Section} title="Call it">
      ${tool.examples.length > 0 && html`<${Examples} examples=${tool.examples} onFill=${fill} />`}
      <form class="card call-form" ref=${form} noValidate onSubmit=${submit} onKeyDown=${onKey}>
        <${SchemaForm} field=${field} state=${state} isTried=${isTried} onChange=${change} />
        <${CallAs} value=${as} onChange=${choose} />
        <div class="form-actions">
          ${
            isAsking
              ? html`<p class="grow">It has the risk “${tool.risk}” and runs at once.</p>
                <${Button} onClick=${() => setIsAsking(false)}>Not now<//><${Button} key="confirm" kind="primary" type="submit" buttonRef=${confirm}>Run it now<//>`
              : html`<${Button} key="call" kind="primary" type="submit" disabled=${progress.kind === 'running'}>${progress.kind === 'running' ? 'Running …' : `Call ${as === 'model' ? 'as a model' : 'as operator'}`}<//>`
          }
          ${count > 0 && html`<p class="field-error">${counted(count, 'field')} to correct.</p>`}
        </div>
      </form>
    <//>
    ${progress.kind !== 'none' && html`<${Section} title="Result"><${Outcome} tool=${tool.name} progress=${progress} onAgain=${call} /><//>`}`;
}

interface OutcomeProps {
  readonly tool: string;
  readonly progress: Progress;
  readonly onAgain: (parameters: FormCall['parameters'], as: FormCall['as']) => Promise<void>;
}

function Outcome({ tool, progress, onAgain }: OutcomeProps): VNode | null {
  switch (progress.kind) {
    case 'running':
      return html`<${RunningCall} tool=${tool} as=${progress.as} />`;
    case 'failed':
      return html`<div class="callout danger"><p>${progress.message}</p></div>`;
    case 'answer':
      return html`<div class="card result"><${CallResult} answer=${progress.answer} onAgain=${() => void onAgain(progress.parameters, progress.answer.as)} /></div>`;
    default:
      return null;
  }
}

function Examples({
  examples,
  onFill,
}: {
  readonly examples: ToolDetails['examples'];
  readonly onFill: (parameters: unknown) => void;
}): VNode {
  return html`<div class="examples" role="group" aria-label="Examples"><span class="muted">Fill in an example:</span>${examples.map(
    ({ parameters, description }, index) =>
      html`<${Button} key=${index} onClick=${() => onFill(parameters)}>${shownLine(description ?? `Example ${index + 1}`)}<//>`,
  )}</div>`;
}
