import type { CallEnd, DraftCall, Kernel, Reason, ToolkitError } from '../../../../kernel/index.ts';
import { describeStep, type Step, type TapEffect } from './step.ts';

/** Source of a credential's value. */
export interface CredentialSource {
  /** The name in the definition. */
  readonly name: string;
  /** The name in the secret chain. */
  readonly secret: string;
  readonly required: boolean;
  /** `call`, or the plugin that resolved it; absent when it is missing. */
  readonly source?: string;
}

/** Predicted course of a call. Secrets are masked. */
export interface Explanation {
  readonly tool: string;
  readonly provider?: string;
  readonly risk: string;
  readonly caller: string;
  readonly origin: string;
  /** Parameters after all plugins have changed them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials: readonly CredentialSource[];
  readonly steps: readonly Step[];
  /** `runs`: no plugin holds the call back. */
  readonly outcome: 'runs' | 'needs approval' | 'is refused' | 'fails';
  /** Reasons why the call is held back. */
  readonly reasons: readonly Reason[];
  /** Taps that would be asked for approval, in order; the first that answers a reason decides it. */
  readonly approvers?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** Builds the explanation of a call that this plugin stopped, or that ended earlier. */
export function explanationOf(kernel: Kernel, end: CallEnd, effects: readonly TapEffect[], error: ToolkitError): Explanation {
  const { tool, verdict } = end;
  if (tool === undefined) throw error;
  const own = (effects[0]?.given as DraftCall | undefined)?.ownCredentials;
  const outcome = outcomeOf(error);
  const explanation: Explanation = {
    tool: tool.name,
    ...(tool.provider === undefined ? {} : { provider: tool.provider.name }),
    risk: tool.risk,
    caller: end.caller,
    origin: end.origin,
    parameters: end.parameters,
    credentials: tool.credentials.map(({ name, secret, required }) => {
      const source = own?.has(name) === true ? 'call' : kernel.resolverOf(secret);
      return { name, secret, required, ...(source === undefined ? {} : { source }) };
    }),
    steps: [...effects.filter(changesDraft).map(describeStep), ...failureStep(error)].filter(({ plugin }) => plugin !== 'explain'),
    outcome,
    reasons: verdict.reasons,
    ...(outcome === 'needs approval'
      ? { approvers: kernel.tapsOf('approve').flatMap(({ name }) => (name === 'explain' ? [] : [name])) }
      : {}),
    ...(outcome === 'runs' || outcome === 'needs approval' ? {} : { error: { code: error.code, message: error.message } }),
  };
  return kernel.mask(explanation);
}

function changesDraft({ hook }: TapEffect): boolean {
  return hook === 'injectAuth' || hook === 'beforeExecute';
}

function outcomeOf({ code, details }: ToolkitError): Explanation['outcome'] {
  if (details.plugin === 'explain') return details.hook === 'execute' ? 'runs' : 'needs approval';
  return code === 'POLICY_DENIED' ? 'is refused' : 'fails';
}

/** Returns the step of the tap that threw. */
function failureStep({ code, message, details: { hook, plugin } }: ToolkitError): Step[] {
  if (hook === undefined || plugin === undefined) return [];
  return [{ hook, plugin, tap: plugin, deeds: [{ type: 'failed', code, message }] }];
}
