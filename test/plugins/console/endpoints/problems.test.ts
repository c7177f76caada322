import { expect } from 'chai';
import { apiVersion, definePlugin, type Finding, type Kernel, type Plugin, type PluginCheck } from '../../../../kernel/index.ts';
import type { ConsoleServices } from '../../../../plugins/console/endpoints/endpoint.ts';
import { problemsEndpoints } from '../../../../plugins/console/endpoints/problems.ts';
import type { ProblemsPage } from '../../../../plugins/console/wire/state.ts';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { bareKernel, echoTool, testKernel } from '../../../support/test-kernel.ts';
import { askEndpoint } from './ask-endpoint.ts';

const pageOf = (kernel: Kernel, services: Partial<ConsoleServices> = {}): Promise<ProblemsPage> =>
  askEndpoint(problemsEndpoints, 'GET problems', kernel, { services });

function checked(...checks: readonly PluginCheck<object>[]): Plugin {
  return definePlugin({ name: 'checked', apiVersion, checks, apply() {} })();
}

const finding = (check: string): Finding => ({ check, state: 'ok', message: 'is well' });

const check = (name: string, run: PluginCheck<object>['run'] = () => [finding(name)]): PluginCheck<object> => ({ name, run });

describe('the problems on the console', () => {
  it('have those of definitions, with the tool and the field', async () => {
    const kernel = await testKernel({ tools: [echoTool({ riks: 'low' })] });
    const { problems } = await pageOf(kernel);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ severity: 'error', code: 'TOOL_INVALID', tool: 'echo' });
    expect(problems[0]?.message).to.include('riks');
  });

  it('have the findings of the checks, without the thorough ones', async () => {
    const plugin = checked(check('One'), { ...check('Two'), isThorough: true });
    expect((await pageOf(await bareKernel({ plugins: [plugin] }))).findings).to.deep.equal([finding('One')]);
  });

  it('have the reason for a check that fails, and all others', async () => {
    const failing = check('Broken', () => Promise.reject(new Error('the meter is broken.')));
    const { findings } = await pageOf(await bareKernel({ plugins: [checked(failing, check('One'))] }));
    expect(findings).to.deep.equal([{ check: 'Broken', state: 'not checked', message: 'the meter is broken' }, finding('One')]);
  });

  it('run each check once a minute', async () => {
    let runs = 0;
    let now = 0;
    const counted = check('Counted', () => {
      runs += 1;
      return [];
    });
    const kernel = await bareKernel({ plugins: [checked(counted)] });
    const services = { now: () => now };
    await Promise.all([pageOf(kernel, services), pageOf(kernel, services)]);
    now = 59_999;
    await pageOf(kernel, services);
    expect(runs).to.equal(1);
    now = 60_000;
    await pageOf(kernel, services);
    expect(runs).to.equal(2);
  });

  it('give the checks the folder, the environment and the store of the server', async () => {
    const given: unknown[] = [];
    const noting = check('Noting', (_options, services) => {
      given.push(services);
      return [];
    });
    const kernel = await bareKernel({ plugins: [checked(noting)] });
    await pageOf(kernel, { checks: { cwd: '/there', env: { A: 'b' }, state: undefined } });
    expect(given).to.deep.equal([{ kernel, cwd: '/there', env: { A: 'b' }, state: undefined, isListed: true, isServing: true }]);
  });

  it('do not report the port of the server itself as in use', async () => {
    const { findings } = await pageOf(await bareKernel({ plugins: [mcp({ transport: 'http', port: 0 })] }));
    expect(findings.map(({ check: name }) => name)).to.not.include('Port');
  });
});
