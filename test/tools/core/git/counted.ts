import sinon from 'sinon';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { runProgram } from '../../../../plugins/shared/process/program.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { afterEach } from '../../../support/after-each.ts';
import { coreGroup } from '../../../support/core-group.ts';

const { coreToolkit } = coreGroup('git');

/** The git tools, and how many programs they have started. */
export interface Counted {
  readonly toolkit: Toolkit;
  /** Since it was asked last. */
  takeStarts(): number;
}

/** The git tools at a time at which nothing that is there has changed lately, so that they may remember what they read. */
export async function countedTools(root: string): Promise<Counted> {
  sinon.restore();
  sinon.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  let starts = 0;
  const counting: typeof runProgram = (...started) => {
    starts += 1;
    return runProgram(...started);
  };
  const toolkit = await coreToolkit({ roots: [root], plugins: [executorCommand({ runProgram: counting })] });
  return {
    toolkit,
    takeStarts() {
      const counted = starts;
      starts = 0;
      return counted;
    },
  };
}

afterEach(() => sinon.restore());
