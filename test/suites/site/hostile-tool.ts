import type { Tool } from '../../../kernel/index.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

/** A text that is markup, a template of Vue, or a form of VitePress, if the site does not show it as text. */
export const hostileText = [
  '::: danger {{x}} <y> {{ 6 * 7 }}',
  '{{ constructor.constructor("globalThis.isBroken = true")() }}',
  '<img src="https://evil.example/x.png" onerror="globalThis.isBroken = true"><script>globalThis.isBroken = true</script>',
  '</template></script><style>* { display: none }</style> <!-- @include: ../../../index.md -->',
  '[[toc]] :smile: {.class #id} https://evil.example ![x](https://evil.example/x.png) [x](javascript:globalThis.isBroken=true) &lt;b&gt;',
].join(' ');

/** Returns a tool that has this text wherever a definition may have one. It comes from no file. */
export async function hostileTool(): Promise<Tool> {
  const definition = echoTool({
    name: 'hostile_echo',
    description: hostileText,
    parameters: { text: { type: 'string', description: hostileText, enum: [hostileText], default: hostileText } },
    output_schema: { type: 'object', properties: { [hostileText]: { type: 'string', description: hostileText } } },
    tags: [hostileText],
    examples: [
      { description: hostileText, parameters: { text: hostileText } },
      { description: `<<< @/index.md ${hostileText}`, parameters: { text: hostileText } },
    ],
  });
  return (await testKernel({ tools: [definition] })).registry.tools.get('hostile_echo') as Tool;
}
