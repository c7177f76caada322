import { expect } from 'chai';
import { describeTool } from '../../../../../plugins/cli/commands/describe/describe-tool.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';

describe('a described tool', () => {
  it('has the examples of its parameters and the whole schema of its results, which lists leave out', async () => {
    const output_schema = { type: 'object', properties: { rows: { type: 'array', items: { type: 'string' } } } };
    const tool = echoTool({ parameters: { text: { type: 'string', example: 'a' } }, output_schema });
    const kernel = await testKernel({ tools: [tool] });
    const described = await describeTool(kernel.registry.get('echo'), kernel);
    expect(described.input_schema['properties']).to.deep.equal({ text: { type: 'string', examples: ['a'] } });
    expect(described.output_schema).to.deep.equal(output_schema);
  });
});
