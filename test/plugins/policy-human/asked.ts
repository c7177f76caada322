import { apiVersion, definePlugin, type Kernel, type PluginEntry } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { type HumanRequest, type OnHITL, policyHuman } from '../../../plugins/policy-human/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { bareKernel, echoTool } from '../../support/test-kernel.ts';

export interface Asked {
  readonly kernel: Kernel;
  /** Requests that the person saw. */
  readonly requests: HumanRequest[];
  /** How often the tool has run. */
  readonly ran: () => number;
}

export interface Setting {
  /** Answers as the person; without it there is no callback. */
  readonly answer?: (request: HumanRequest, signal: AbortSignal) => unknown;
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly tool?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly PluginEntry[];
  /** Time limit of an answer. */
  readonly approveMs?: number;
}

/** A kernel with one tool of high risk, the approval gate and the human policy switched on. */
export async function asked({ answer, policy = {}, tool = {}, plugins = [], approveMs }: Setting): Promise<Asked> {
  let count = 0;
  const requests: HumanRequest[] = [];
  const handler = (given: unknown): unknown => {
    count++;
    return given;
  };
  const onHITL = (request: HumanRequest, signal: AbortSignal): unknown => {
    requests.push(request);
    return answer?.(request, signal);
  };
  const options = { enableHITL: true, ...(answer === undefined ? {} : { onHITL: onHITL as OnHITL }), ...policy };
  const definition = echoTool({ risk: 'high', execution: { type: 'function', handler }, ...tool });
  const given = definePlugin({
    name: 'given',
    apiVersion,
    apply: ({ hooks }) => hooks.discover.tap('given', (sink) => sink.addTool(definition)),
  });
  const secrets = [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token' } }), credentialsPlaceholder()];
  const kernel = await bareKernel({
    plugins: [executorFunction(), given(), ...plugins, ...secrets, approvalGate(), policyHuman(options)],
    ...(approveMs === undefined ? {} : { timeoutsMs: { approve: approveMs } }),
  });
  return { kernel, requests, ran: () => count };
}
