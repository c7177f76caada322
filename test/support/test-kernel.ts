import { createKernel, type Kernel, type KernelOptions } from '../../kernel/index.ts';
import { createTestKit, memoryLogger, type TestKitOptions } from '../../plugins/toolkit/testing.ts';
import { afterEach } from './after-each.ts';

const opened: Kernel[] = [];

/** A kernel with inline tools, closed after the test. */
export async function testKernel(options: TestKitOptions = {}): Promise<Kernel> {
  const { kernel } = await createTestKit(options);
  opened.push(kernel);
  return kernel;
}

/** A kernel with exactly these plugins, silent, closed after the test. */
export async function bareKernel(options: KernelOptions): Promise<Kernel> {
  const kernel = await createKernel({ logger: memoryLogger(), ...options });
  opened.push(kernel);
  return kernel;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close().catch(() => {})));
});

/** A function tool that gives its parameters back. */
export function echoTool(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'echo',
    description: 'Gives its parameters back.',
    parameters: { text: { type: 'string' } },
    execution: { type: 'function', handler: (parameters: unknown) => parameters },
    risk: 'low',
    ...more,
  };
}
