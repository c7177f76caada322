import type { ToolFunction } from '../../../executor-function/index.ts';

/** Returns the tools that the checks call. `keys` are added to their definitions. */
export function sampleTools(keys: Readonly<Record<string, unknown>>): readonly unknown[] {
  const tool = (name: string, description: string, handler: ToolFunction, more: Readonly<Record<string, unknown>> = {}): unknown => ({
    name,
    description,
    parameters: { text: { type: 'string' }, value: {} },
    execution: { type: 'function', handler, ...(more['execution'] as object | undefined) },
    risk: 'low',
    annotations: { readOnlyHint: true },
    ...(more['secrets'] === undefined ? {} : { secrets: more['secrets'] }),
    ...keys,
  });
  let runs = 0;
  return [
    tool('contract_count', 'Counts how often it has run.', () => ({ run: ++runs })),
    tool('contract_echo', 'Gives back what it was given, and who called it.', (parameters: object, { caller }) => ({
      ...parameters,
      caller,
    })),
    tool('contract_fail', 'Fails.', () => {
      throw new Error('contract_fail fails');
    }),
    tool('contract_wait', 'Waits until its call is cancelled.', (_given, { progress, signal }) => {
      progress('waits');
      return aborted(signal);
    }),
    tool(
      'contract_late',
      'Takes longer than it may.',
      (_given, { progress, signal }) => {
        progress('waits');
        return aborted(signal);
      },
      { execution: { timeout_ms: 20 } },
    ),
    tool('contract_secret', 'Says the secret that it was given.', (_given, { secrets }) => ({ said: secrets['CONTRACT_SECRET'] }), {
      secrets: ['CONTRACT_SECRET'],
    }),
    tool(
      'contract_account',
      'Says how long the secret is that it was given.',
      (_given, { secrets }) => ({ letters: secrets['CONTRACT_SECRET']?.length ?? 0 }),
      {
        secrets: ['CONTRACT_SECRET'],
      },
    ),
    tool(
      'contract_secret_fail',
      'Fails, and says the secret that it was given.',
      (_given, { secrets }) => {
        throw new Error(`refused: ${secrets['CONTRACT_SECRET']}`);
      },
      { secrets: ['CONTRACT_SECRET'] },
    ),
  ];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('the wait has ended'))));
}
