import { expect } from 'chai';
import { describeTool } from '../../../../../plugins/cli/commands/describe/describe-tool.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';

describe('a described tool', () => {
  it('has the authentication and the parameters that its provider shares', async () => {
    const provider = {
      provider: { name: 'p' },
      authentication: { type: 'bearer', provider: 'p', required_scopes: ['read'] },
      $defs: { owner: { type: 'string', required: true, description: 'Who owns it.' } },
    };
    const tool = echoTool({
      provider: 'p',
      parameters: { owner: { $ref: '#/$defs/owner' } },
      authentication: { required_scopes: ['write'] },
    });
    const kernel = await testKernel({ providers: [provider], tools: [tool] });
    const described = await describeTool(kernel.registry.get('echo'), kernel);
    expect(described.authentication).to.deep.equal({ type: 'bearer', provider: 'p', required_scopes: ['write'] });
    expect(described.input_schema).to.deep.include({ properties: { owner: { type: 'string', description: 'Who owns it.' } } });
  });
});
