import sinon from 'sinon';
import {
  type Answer,
  apiVersion,
  type CallEnd,
  type CallRequest,
  definePlugin,
  type Kernel,
  type PluginEntry,
  type Question,
} from '../../../kernel/index.ts';
import { type ApprovalGateOptions, approvalGate, type GateRequest } from '../../../plugins/approval-gate/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

export interface Gated {
  readonly kernel: Kernel;
  /** The parameters of every run of a tool. */
  readonly ran: unknown[];
  /** Requests to the host. */
  readonly requests: GateRequest[];
  readonly ends: CallEnd[];
  /** A call of a model. */
  call(parameters?: unknown, more?: Partial<CallRequest>): Promise<unknown>;
}

export interface GatedSetting {
  readonly gate: ApprovalGateOptions;
  /** Answers as the host; without it the host is not asked. `undefined` leaves the call undecided. */
  readonly answer?: (request: GateRequest, signal: AbortSignal) => unknown;
  readonly plugins?: readonly PluginEntry[];
  /** Definitions beside `pay`, by name; each records its runs. */
  readonly tools?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const parameters = {
  text: { type: 'string' },
  amount: { type: 'number' },
  to: { type: 'object', additionalProperties: true },
  any: {},
};

/** A kernel with the gated tool `pay`, which takes anything in `any` and `to`. */
export async function gated({ gate: given, answer, plugins = [], tools = {} }: GatedSetting): Promise<Gated> {
  const gate = given.key === undefined || given.stateFolder !== undefined ? given : { ...given, stateFolder: await keptState() };
  const ran: unknown[] = [];
  const requests: GateRequest[] = [];
  const ends: CallEnd[] = [];
  const handler = (given: unknown): unknown => {
    ran.push(given);
    return given;
  };
  const define = ([name, more]: [string, object]) =>
    echoTool({ name, parameters, requires_approval: true, execution: { type: 'function', handler }, secrets: ['PAY_TOKEN'], ...more });
  const onApproval = async (request: GateRequest, signal: AbortSignal) => {
    requests.push(request);
    return (await answer?.(request, signal)) as boolean | undefined;
  };
  const trail = definePlugin({ name: 'trail', apiVersion, apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)) });
  const asksHost = gate.mode === 'strict' || answer !== undefined;
  const kernel = await testKernel({
    plugins: [
      secretsEnv({ env: { PAY_TOKEN: 'value-of-pay-token' } }),
      credentialsPlaceholder(),
      approvalGate({ ...(asksHost ? { onApproval } : {}), ...gate }),
      ...plugins,
      trail(),
    ],
    tools: Object.entries({ pay: {}, ...tools }).map(define),
  });
  const call = (given: unknown = {}, more: Partial<CallRequest> = {}): Promise<unknown> =>
    kernel.execute('pay', given as Record<string, unknown>, { origin: 'model', ...more });
  return { kernel, ran, requests, ends, call };
}

let state: Promise<string> | undefined;

/** One folder for all processes of a test that have the same key. */
function keptState(): Promise<string> {
  state ??= temporaryFolder();
  return state;
}

/** The token that a person gives for a call, after the call has ended undecided. */
export async function tokenFor({ requests, call }: Gated, given: unknown, more: Partial<CallRequest> = {}): Promise<string> {
  await rejection(call(given, more), 'APPROVAL_REQUIRED');
  const token = requests.at(-1)?.token?.();
  if (token === undefined) throw new Error('no token');
  return token;
}

/** A client whose person answers so, and what that person was asked. */
export function person(answer: unknown): { readonly questions: Question[]; readonly client: NonNullable<CallRequest['client']> } {
  const questions: Question[] = [];
  const elicit = async (question: Question): Promise<Answer> => {
    questions.push(question);
    return (typeof answer === 'function' ? await answer(question) : answer) as Answer;
  };
  return { questions, client: { elicit } };
}

export const yes = { action: 'accept', content: { approve: true } } as const;

/** The clock of tokens, at a fixed time. */
export function fakeClock(): sinon.SinonFakeTimers {
  return sinon.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] });
}

afterEach(() => {
  sinon.restore();
  state = undefined;
});
