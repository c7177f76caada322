import type { Registry } from '../definition/registry/registry.ts';
import type { LiveRegistry } from '../discovery/live-registry.ts';
import type { Extensions } from '../extensions.ts';
import type { CallOutput, HookName, ToolView } from '../hooks.ts';
import type { Logger } from '../log/logger.ts';
import type { Plans } from '../plan.ts';
import type { CallerSecrets } from '../secrets/caller-secrets.ts';
import type { KernelMasking } from '../secrets/kernel-masking.ts';
import type { SecretChain } from '../secrets/secret-chain.ts';
import type { CallRequest } from './request.ts';
import type { RunningCalls } from './running-calls.ts';

/** The kernel's services for calls, created once. */
export interface CallServices {
  readonly plans: Plans;
  /** Returns the current tools. */
  readonly registry: () => Registry;
  readonly masking: KernelMasking;
  readonly logger: Logger;
  readonly timeoutsMs: Readonly<Record<HookName, number>>;
  readonly extensions: Pick<
    Extensions,
    | 'encodings'
    | 'identifiers'
    | 'parameterIdentifiers'
    | 'readReference'
    | 'fetch'
    | 'addresses'
    | 'controlFiles'
    | 'requireOnce'
    | 'outputBudget'
  >;
  readonly secrets: SecretChain;
  readonly callerSecrets: CallerSecrets;
  /** Runs another call, for a tool that calls tools. */
  readonly call: (request: CallRequest) => Promise<CallOutput>;
  readonly live: LiveRegistry;
  readonly check: ToolView['check'];
  /** The running calls, so that closing the kernel can end them. */
  readonly running: Pick<RunningCalls, 'set' | 'delete'>;
}
