import { excerpt } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { CredentialSource, Explanation } from './explanation.ts';
import type { Step, TapAction } from './step.ts';

/** Formats an explanation for the terminal. */
export function report(explanation: Explanation): string {
  const { tool, provider, risk, caller, origin, parameters, credentials, steps, outcome, reasons, approvers, error } = explanation;
  const lines = [
    `${tool} (${provider === undefined ? '' : `provider ${provider}, `}risk ${risk}) called by "${caller}", origin ${origin}`,
    `parameters: ${formatValue(parameters)}`,
    ...(credentials.length === 0 ? ['credentials: none'] : ['credentials:', ...credentials.map(credentialLine)]),
    ...(steps.length === 0 ? ['hooks: no plugin taps them'] : ['hooks:', ...steps.map(stepLine)]),
    `outcome: ${outcome}${error === undefined ? '' : ` with ${error.code}: ${error.message}`}`,
    ...reasons.map(({ kind, message }) => `  ${kind}: ${message}`),
    ...(approvers === undefined ? [] : [`asked for approval, in this order: ${approvers.join(', ') || 'nobody, so it is refused'}`]),
  ];
  return `${lines.map(visibleText).join('\n')}\n`;
}

function credentialLine({ name, secret, required, source }: CredentialSource): string {
  const where =
    source === undefined ? (required ? 'MISSING' : 'not set, optional') : source === 'call' ? 'given with the call' : `found by ${source}`;
  return `  ${name}${secret === name ? '' : ` (${secret})`}: ${where}`;
}

function stepLine({ hook, tap, deeds }: Step): string {
  return `  ${hook} ${tap}: ${deeds.length === 0 ? 'left it as it is' : deeds.map(formatAction).join('; ')}`;
}

function formatAction(action: TapAction): string {
  switch (action.type) {
    case 'bound':
      return `bound ${action.credential}`;
    case 'changed':
      return `changed ${action.parameter} from ${formatValue(action.from)} to ${formatValue(action.to)}`;
    case 'asked':
      return `asked for approval (${action.kind ?? 'no kind'}): ${action.message}`;
    case 'refused':
      return `refused it (${action.kind ?? 'no kind'}): ${action.message}`;
    case 'objected':
      return `also objected (${action.kind ?? 'no kind'}): ${action.message}`;
    case 'failed':
      return `failed with ${action.code}: ${action.message}`;
  }
}

function formatValue(value: unknown): string {
  return value === undefined ? 'nothing' : excerpt(JSON.stringify(value), 500);
}
