import type { PluginApi } from '../../kernel/index.ts';
import type { RunProgram } from '../shared/process/program.ts';

/** Adds the number of running programs. Returns `runProgram`, which counts them. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>, runProgram: RunProgram): RunProgram {
  let running = 0;
  extend.gauge({
    name: 'commands.running',
    description: 'Programs of command tools that run or wait for their start, those of their modules included',
    unit: '{process}',
    read: () => running,
  });
  return async (...given) => {
    running++;
    try {
      return await runProgram(...given);
    } finally {
      running--;
    }
  };
}
