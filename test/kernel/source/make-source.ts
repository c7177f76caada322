import { apiVersion, definePlugin, type Kernel, type Plugin, type Source } from '../../../kernel/index.ts';
import type { TestKitOptions } from '../../../plugins/toolkit/testing.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** A plugin with one source, whose tools are executed as `<name>` and answer with their description. */
export function sourcePlugin(source: Source, name = 'made'): Plugin {
  return definePlugin({
    name,
    apiVersion,
    apply({ extend, hooks }) {
      const schema = { type: 'object', additionalProperties: true } as never;
      extend.execution(name, { schema, risk: () => 'low', fingerprint: 'test' });
      hooks.execute.for(name).tap(name, ({ tool }) => ({ output: tool.description }));
      extend.source(name, source);
    },
  })();
}

/** A kernel with one source, `made`. */
export function makeSource(source: Source, { plugins = [], ...options }: TestKitOptions = {}): Promise<Kernel> {
  return testKernel({ ...options, plugins: [sourcePlugin(source), ...plugins] });
}
