import { expect } from 'chai';
import { outputBudget } from '../../../plugins/output-budget/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';

const handler = 'export const run = (_: never, context: { output: unknown }) => context.output;\n';

const python = 'def run(parameters, context):\n    return {"budget": context.output.budget}\n';

describe('the room for an output', () => {
  for (const [place, execution] of [
    ['in this process', { code: './room.ts' }],
    ['in a worker thread', { code: './room.ts', worker: true }],
    ['in a child process', { code: './room.ts', worker: 'process' }],
    ['in Python', { code: './room.py' }],
  ] as const)
    it(`is known to a function ${place} in a call of a model, and of nobody else`, async () => {
      const tool = { name: 'room', description: 'Gives its room.', execution: { type: 'function', ...execution }, risk: 'low' };
      const folder = await temporaryFolder({ 'room.ts': handler, 'room.py': python, 'room.yaml': JSON.stringify(tool) });
      const kernel = await testKernel({ plugins: [toolFiles({ toolPaths: [folder] }), outputBudget({ maxCharacters: 5000 })] });
      const call = async (origin: 'host' | 'model') => (await kernel.call({ tool: 'room', parameters: {}, origin })).output;
      expect(await call('model')).to.deep.equal({ budget: 4000 });
      expect([{}, { budget: null }]).to.deep.include(await call('host'));
    });
});
