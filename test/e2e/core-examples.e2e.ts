import { expect } from 'chai';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { stdioClient } from './program.ts';
import { project } from './project.ts';

/** Without an output it depends on files, on the clock or on chance; a secret must be set first. */
function isFixed({ parameters, output }: { readonly parameters: object; readonly output?: unknown }): boolean {
  return output !== undefined && !('secret_name' in parameters);
}

/** Not from the sources, because a bundle can lose what a library exports. */
describe('the core tools of the built program', () => {
  it('give what their examples promise', async () => {
    const toolkit = await Toolkit.init({ logger: memoryLogger() });
    const tools = toolkit.listTools();
    await toolkit.close();
    const { client } = await stdioClient([], { cwd: await project() });
    const wrong: unknown[] = [];
    for (const { name, definition } of tools) {
      for (const { parameters, output } of (definition.examples ?? []).filter(isFixed)) {
        const given = await client.callTool({ name, arguments: parameters });
        try {
          expect(given.structuredContent).to.deep.equal(output);
        } catch {
          wrong.push({ name, parameters, given: given.structuredContent ?? given.content });
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  });
});
