import { expect } from 'chai';
import { decideToolAccess } from '../../../../plugins/shared/exposure/tool-access.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

describe('a tool with the status draft', () => {
  it('is offered to no model, and is there for host code', async () => {
    const tools = [echoTool({ name: 'ready', status: 'stable' }), echoTool({ name: 'unready', status: 'draft' })];
    const kernel = await testKernel({ tools });
    const { registry } = kernel;
    const { isAllowed: isOffered, isCallable: isVisible } = decideToolAccess({}, registry);
    const all = [...registry.tools.values()];
    expect(all.map(({ name }) => name)).to.have.members(['ready', 'unready']);
    expect(all.filter(isOffered).map(({ name }) => name)).to.deep.equal(['ready']);
    expect(all.filter(isVisible).map(({ name }) => name)).to.deep.equal(['ready']);
    expect(await kernel.execute('unready', { text: 'a' })).to.deep.equal({ text: 'a' });
    expect(registry.tools.get('unready')?.definition.status).to.equal('draft');
  });
});
