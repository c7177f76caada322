import type { CallContext } from '../../kernel/index.ts';
import type { ApiclientOptions } from './options.ts';
import { Runner } from './runner.ts';

export interface Limits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxSpecificationBytes: number;
  readonly maxReportBytes: number;
  readonly maxIterations: number;
}

/** Services of all operations. */
export interface OperationServices {
  readonly descriptors: readonly string[];
  readonly limits: Limits;
  readonly runner: Runner;
}

/** Services and context of one call of an operation. */
export interface OperationContext extends OperationServices {
  readonly context: CallContext;
}

export function createServices({ command = 'bru', descriptors, env = [], limits = {} }: ApiclientOptions): OperationServices {
  return {
    descriptors: descriptors ?? ['apiclient.json', 'bruno.json', 'opencollection.yml'],
    limits: {
      maxFiles: 10_000,
      maxFileBytes: 1024 * 1024,
      maxSpecificationBytes: 10 * 1024 * 1024,
      maxReportBytes: 100 * 1024 * 1024,
      maxIterations: 10_000,
      ...limits,
    },
    runner: new Runner(command, env),
  };
}
