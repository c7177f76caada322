import { openaiTools } from '../../../../plugins/adapter-openai/index.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import type { Way } from '../way.ts';

export const way: Way = {
  name: 'in the arguments that a model writes for openaiTools',
  async start() {
    const tool = echoTool({ name: 'thing', parameters: { note: { type: 'object' } } });
    const { kernel } = await createTestKit({ tools: [tool] });
    const { run } = openaiTools(kernel);
    return {
      async carry(digits) {
        const [answer] = await run([{ type: 'function_call', call_id: '1', name: 'thing', arguments: `{"note":{"id":${digits}}}` }]);
        return /"id":\s*"?(-?\d+)/.exec(String(answer?.output))?.[1] ?? String(answer?.output);
      },
      stop: () => kernel.close(),
    };
  },
};
