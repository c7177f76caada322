import { expect } from 'chai';
import { cacheAdvice } from '../../../../../plugins/mcp/commands/setup/configurations.ts';
import type { Plan } from '../../../../../plugins/mcp/commands/setup/plan.ts';

const planOf = (program: string): Plan =>
  ({ launches: { stdio: { command: 'node', args: ['--', program, 'mcp'], env: {} } } }) as unknown as Plan;

describe('the advice on a program in the cache of npx', () => {
  for (const program of ['/home/ada/.npm/_npx/0a1b/node_modules/@toolkit/core/dist/main.js', 'C:\\npm-cache\\_npx\\0a1b\\main.js'])
    it(`says that the entry may stop working: ${program}`, () => {
      expect(cacheAdvice(planOf(program)))
        .to.include(program)
        .and.to.include('npm install --save-dev @toolkit/core');
    });

  for (const program of ['/srv/shop/node_modules/@toolkit/core/dist/main.js', '/srv/_npx-tools/main.js'])
    it(`says nothing of ${program}`, () => expect(cacheAdvice(planOf(program))).to.equal(''));
});
