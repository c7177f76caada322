import { inspect } from 'node:util';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin, type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel, echoTool, testKernel } from '../support/test-kernel.ts';

function plugin(apply: (api: PluginApi) => void | Promise<void>, name = 'guilty'): Plugin {
  return definePlugin({ name, apiVersion, apply })();
}

describe('the guard around plugin code', () => {
  it('names plugin, hook and tool when a tap throws, and keeps the cause', async () => {
    const cause = new Error('boom');
    const throwing = plugin(({ hooks }) =>
      hooks.beforeExecute.tap('guilty', () => {
        throw cause;
      }),
    );
    const kernel = await testKernel({ plugins: [throwing], tools: [echoTool()] });
    const error = await rejection(kernel.execute('echo'), 'PLUGIN_FAILED');
    expect(error.details).to.include({ plugin: 'guilty', hook: 'beforeExecute', tool: 'echo' });
    expect(error.message).to.equal('Plugin "guilty" failed in "beforeExecute" for tool "echo": boom');
    expect((error.cause as Error).message).to.equal('boom');
  });

  it('passes a ToolkitError through with its own code', async () => {
    const throwing = plugin(({ hooks }) =>
      hooks.injectAuth.tap('guilty', () => {
        throw new ToolkitError('RATE_LIMITED', 'slow down', { retryAfterMs: 5 });
      }),
    );
    const kernel = await testKernel({ plugins: [throwing], tools: [echoTool()] });
    const error = await rejection(kernel.execute('echo'), 'RATE_LIMITED');
    expect(error.details).to.include({ plugin: 'guilty', hook: 'injectAuth', retryAfterMs: 5 });
  });

  it('ends a tap that hangs at the time limit of its hook, aborts its signal and names it', async () => {
    let signal: AbortSignal | undefined;
    const hanging = plugin(({ hooks }) =>
      hooks.validateOutput.tapPromise('guilty', (_result, context) => {
        signal = context.signal;
        return new Promise(() => {});
      }),
    );
    const kernel = await bareKernel({ plugins: [...toolsOf(echoTool()), hanging], timeoutsMs: { validateOutput: 20 } });
    const error = await rejection(kernel.execute('echo'), 'TIMEOUT');
    expect(error.message)
      .to.include('Plugin "guilty" in "validateOutput" did not end within 20 ms')
      .and.to.include('timeoutsMs.validateOutput');
    expect(signal?.aborted).to.equal(true);
  });

  it('refuses a tap made after apply() has ended', async () => {
    let late: (() => void) | undefined;
    const kernel = await bareKernel({
      plugins: [
        plugin(({ hooks }) => {
          late = () => hooks.settled.tap('guilty', () => {});
        }),
      ],
    });
    expect(kernel.tapsOf('settled')).to.deep.equal([]);
    expect(() => late?.()).to.throw(ToolkitError, 'Plugin "guilty" taps "settled" after its apply() has ended');
  });

  const wrongHooks: { readonly title: string; readonly tap: (hooks: never) => void; readonly message: string }[] = [
    {
      title: 'a hook whose name is misspelt',
      tap: (hooks: { beforeExcute: { tap(name: string, run: () => void): void } }) => hooks.beforeExcute.tap('guilty', () => {}),
      message: 'Plugin "guilty": there is no hook "beforeExcute". Did you mean "beforeExecute"?',
    },
    {
      title: 'a hook that there is not',
      tap: (hooks: { compile: unknown }) => void hooks.compile,
      message:
        'Plugin "guilty": there is no hook "compile". The hooks are discover, resolveSecrets, injectAuth, beforeExecute, approve, execute, validateOutput, settled, serve, dispose.',
    },
    {
      title: 'a tap on execute that does not say for which type',
      tap: (hooks: { execute: { tap(name: string): void } }) => hooks.execute.tap('guilty'),
      message:
        'Plugin "guilty" asks for hooks.execute.tap. Say for which type of execution: hooks.execute.for("http"), or for("*") to run before those of every type.',
    },
  ];
  for (const { title, tap, message } of wrongHooks) {
    it(`refuses ${title}, and says what there is`, async () => {
      const error = await rejection(bareKernel({ plugins: [plugin(({ hooks }) => tap(hooks as never))] }), 'PLUGIN_INVALID');
      expect(error).to.include({ message });
      expect(error.details).to.include({ plugin: 'guilty' });
    });
  }

  it('can be asked whether a hook is there, printed and awaited', async () => {
    const seen: unknown[] = [];
    const asking = plugin(async ({ hooks }) => {
      const given = await Promise.resolve(hooks);
      seen.push('settled' in given, 'compile' in given, inspect(given).includes('settled'), JSON.stringify(given).includes('settled'));
    });
    await bareKernel({ plugins: [asking] });
    expect(seen).to.deep.equal([true, false, true, true]);
  });

  it('tells the taps of a hook as they run, with their plugin, execution type, stage and what they come before', async () => {
    const one = plugin(({ hooks }) => {
      hooks.execute.for('http').tap('one', () => undefined);
      hooks.execute.for('*').tap({ name: 'all', stage: 5 }, () => undefined);
      hooks.settled.tap('one', () => {});
      hooks.dispose.tap('one', () => {});
    }, 'one');
    const two = plugin(({ hooks }) => {
      hooks.settled.tap({ name: 'first', before: 'one' }, () => {});
      hooks.dispose.tap('two', () => {});
    }, 'two');
    const kernel = await bareKernel({ plugins: [one, two] });
    expect(kernel.tapsOf('execute')).to.deep.equal([
      { name: 'one:all', plugin: 'one', key: '*', stage: 5, before: [] },
      { name: 'one', plugin: 'one', key: 'http', stage: 0, before: [] },
    ]);
    expect(kernel.tapsOf('settled')).to.deep.equal([
      { name: 'two:first', plugin: 'two', stage: 0, before: ['one'] },
      { name: 'one', plugin: 'one', stage: 0, before: [] },
    ]);
    expect(kernel.tapsOf('dispose').map(({ name }) => name)).to.deep.equal(['two', 'one']);
  });

  const wrongTaps = [
    {
      title: 'an unknown `before` name',
      tap: { name: 'guilty', before: 'approvall-gate' },
      message: 'has "before: approvall-gate"',
    },
    { title: 'a tap without a name', tap: { name: '' }, message: 'taps "beforeExecute" without a name' },
  ];
  for (const { title, tap, message } of wrongTaps) {
    it(`refuses ${title}`, async () => {
      const wrong = plugin(({ hooks }) => hooks.beforeExecute.tap(tap, () => undefined));
      const error = await rejection(
        bareKernel({ plugins: [plugin(({ hooks }) => hooks.beforeExecute.tap('x', () => undefined), 'approval-gate'), wrong] }),
        'PLUGIN_INVALID',
      );
      expect(error.message).to.include(message);
    });
  }

  it('suggests the nearest tap for an unknown `before` name', async () => {
    const gate = plugin(({ hooks }) => hooks.beforeExecute.tap('approval-gate', () => undefined), 'approval-gate');
    const wrong = plugin(({ hooks }) => hooks.beforeExecute.tap({ name: 'guilty', before: 'approval-gat' }, () => undefined));
    const error = await rejection(bareKernel({ plugins: [gate, wrong] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('Did you mean "approval-gate"?');
  });

  it('refuses a circle of `before` options', async () => {
    const a = plugin(({ hooks }) => hooks.settled.tap({ name: 'a', before: 'b' }, () => {}), 'a');
    const b = plugin(({ hooks }) => hooks.settled.tap({ name: 'b', before: 'a' }, () => {}), 'b');
    const error = await rejection(bareKernel({ plugins: [a, b] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('form a circle among a, b');
  });

  const wrongReturns: { title: string; apply: (api: PluginApi) => void; message: string }[] = [
    {
      title: 'a draft with another tool from beforeExecute',
      apply: ({ hooks }) => hooks.beforeExecute.tap('guilty', (draft) => ({ ...draft, caller: 'somebody else' })),
      message: 'expected a draft in which only parameters and verdict differ, received another "caller"',
    },
    {
      title: 'changed parameters from injectAuth',
      apply: ({ hooks }) => hooks.injectAuth.tap('guilty', (draft) => ({ ...draft, parameters: {} })),
      message: 'only credentials differ',
    },
    {
      title: 'a loosened verdict',
      apply: ({ hooks }) => {
        hooks.beforeExecute.tap('guilty:deny', (draft) => ({ ...draft, verdict: { effect: 'deny', reasons: [] } }));
        hooks.beforeExecute.tap('guilty:allow', (draft) => ({ ...draft, verdict: { effect: 'allow', reasons: [] } }));
      },
      message: 'expected a verdict at least as strict as "deny"',
    },
    {
      title: 'a number as a draft',
      apply: ({ hooks }) => hooks.beforeExecute.tap('guilty', () => 3 as never),
      message: 'expected a draft call or undefined, received number 3',
    },
    {
      title: 'a result without output',
      apply: ({ hooks }) => hooks.validateOutput.tap('guilty', () => ({ result: 1 }) as never),
      message: 'expected a result with "output", received keys result',
    },
  ];
  for (const { title, apply, message } of wrongReturns) {
    it(`refuses ${title}`, async () => {
      const kernel = await testKernel({ plugins: [plugin(apply)], tools: [echoTool()] });
      const error = await rejection(kernel.execute('echo', { text: 'x' }), 'PLUGIN_INVALID');
      expect(error.message).to.include('Plugin "guilty" returned an invalid value').and.to.include(message);
    });
  }

  it('lets the other plugins discover when one throws', async () => {
    const throwing = plugin(({ hooks }) =>
      hooks.discover.tap('guilty', () => {
        throw new Error('disk on fire');
      }),
    );
    const kernel = await testKernel({ plugins: [throwing], tools: [echoTool()] });
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['echo']);
    expect(kernel.registry.problems.map(({ message }) => message)).to.deep.equal(['Plugin "guilty" failed in "discover": disk on fire']);
  });

  it('keeps the outcome of a call when a settled tap throws, and logs it', async () => {
    const logger = memoryLogger();
    const throwing = plugin(({ hooks }) =>
      hooks.settled.tap('guilty', () => {
        throw new Error('disk full');
      }),
    );
    const kernel = await testKernel({ plugins: [throwing], tools: [echoTool()], logger });
    expect(await kernel.execute('echo', { text: 'x' })).to.deep.equal({ text: 'x' });
    expect(logger.records.map(({ message }) => message)).to.include('Plugin "guilty" failed in "settled" for tool "echo": disk full');
  });

  it('disposes every plugin even when one fails, and reports all failures', async () => {
    const disposed: string[] = [];
    const kernel = await bareKernel({
      plugins: ['a', 'b', 'c'].map((name) =>
        plugin(
          ({ hooks }) =>
            hooks.dispose.tap(name, () => {
              disposed.push(name);
              if (name !== 'a') throw new Error(`${name} is stuck`);
            }),
          name,
        ),
      ),
    });
    const error = await rejection(kernel.close(), 'PLUGIN_FAILED');
    expect(disposed).to.deep.equal(['c', 'b', 'a']);
    expect(error.message).to.include('c is stuck').and.to.include('b is stuck');
  });

  it('disposes what was applied when a later apply() throws', async () => {
    const disposed: string[] = [];
    const first = plugin(({ hooks }) => hooks.dispose.tap('first', () => void disposed.push('first')), 'first');
    const failing = plugin(() => {
      throw new Error('no disk');
    });
    const error = await rejection(bareKernel({ plugins: [first, failing] }), 'PLUGIN_FAILED');
    expect(error.message).to.equal('Plugin "guilty" failed in apply(): no disk');
    expect(disposed).to.deep.equal(['first']);
  });

  it('refuses the use of the kernel inside apply()', async () => {
    const error = await rejection(bareKernel({ plugins: [plugin((api) => void api.kernel.registry)] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('Plugin "guilty" uses its kernel inside apply()');
  });
});

function toolsOf(...tools: unknown[]): Plugin[] {
  return [
    plugin((api) => {
      api.extend.execution('function', { schema: { type: 'object' } as never });
      api.hooks.discover.tap('tools', (sink) => {
        for (const tool of tools) sink.addTool(tool);
      });
      api.hooks.execute.for('function').tapPromise('tools', async (call) => ({ output: call.parameters }));
    }, 'tools'),
  ];
}
