import { expect } from 'chai';
import { type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

type Handler = (parameters: { readonly n?: number }, context: FunctionContext) => unknown;

const act = (handler: Handler, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  ...echoTool(),
  name: 'act',
  parameters: { n: { type: 'number' } },
  risk: 'medium',
  execution: { type: 'function', handler },
  ...more,
});

describe('calls that their host names', () => {
  let effects: number;
  const count: Handler = ({ n }) => {
    effects++;
    return { effect: effects, n };
  };
  beforeEach(() => {
    effects = 0;
  });

  const kernelsOf = async (tool: Record<string, unknown>, others: readonly Record<string, unknown>[] = []): Promise<Kernel[]> => {
    const store = await fileStore();
    return Promise.all([0, 1, 2].map(() => testKernel({ tools: [tool, ...others], plugins: [callsOnce(), store()] })));
  };

  it('have one effect, over kernels that share a store, and all get its result', async () => {
    const kernels = await kernelsOf(act(count));
    const outputs = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (kernels[index % 3] as Kernel).execute('act', { n: 1 }, { once: 'order 1' })),
    );
    expect(effects).to.equal(1);
    for (const output of outputs) expect(output).to.deep.equal({ effect: 1, n: 1 });
    expect(await kernels[0]?.execute('act', { n: 1 }, { once: 'order 2' })).to.deep.equal({ effect: 2, n: 1 });
  });

  it('wait for the one that runs, wherever that is', async () => {
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const [one, other] = await kernelsOf(
      act(async () => {
        begin();
        await ended;
        return 'done';
      }),
    );
    const first = one?.execute('act', {}, { once: 'a' });
    await begun;
    const controller = new AbortController();
    const second = other?.execute('act', {}, { once: 'a' });
    const third = rejection(other?.execute('act', {}, { once: 'a', signal: controller.signal }) as Promise<unknown>, 'ABORTED');
    controller.abort();
    await third;
    end();
    expect([await first, await second]).to.deep.equal(['done', 'done']);
  });

  it('are those of one caller: another caller has calls of its own', async () => {
    const [kernel] = await kernelsOf(act(count));
    for (const caller of ['ada', 'bob', 'ada']) await kernel?.execute('act', {}, { once: 'a', caller });
    expect(effects).to.equal(2);
  });

  it('are refused under a name that another call has', async () => {
    const [kernel] = await kernelsOf(act(count), [act(count, { name: 'other_act' })]);
    await kernel?.execute('act', { n: 1 }, { once: 'a' });
    for (const [tool, n, says] of [
      ['act', 2, 'with other parameters'],
      ['other_act', 1, 'of "act"'],
    ] as const) {
      const error = await rejection(kernel?.execute(tool, { n }, { once: 'a' }) as Promise<unknown>, 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    }
    expect(effects).to.equal(1);
  });

  it('run each time where the tool only reads', async () => {
    const [kernel] = await kernelsOf(act(count, { risk: 'low' }));
    for (const once of ['a', 'a']) await kernel?.execute('act', {}, { once });
    expect(effects).to.equal(2);
  });

  it('are refused where no plugin sees to it', async () => {
    const kernel = await testKernel({ tools: [act(count)] });
    expect((await rejection(kernel.execute('act', {}, { once: 'a' }), 'PLUGIN_INVALID')).message).to.include('Add callsOnce()');
    expect(effects).to.equal(0);
  });

  const failing =
    (error: unknown): Handler =>
    () => {
      effects++;
      throw error;
    };

  it('may be made again when they were refused', async () => {
    let isRefused = true;
    const refusing: Handler = (parameters, context) => {
      if (!isRefused) return count(parameters, context);
      throw new ToolkitError('BAD_REQUEST', 'No.');
    };
    const [kernel] = await kernelsOf(act(refusing));
    await rejection(kernel?.execute('act', { n: 1 }, { once: 'a' }) as Promise<unknown>, 'BAD_REQUEST');
    isRefused = false;
    expect(await kernel?.execute('act', { n: 1 }, { once: 'a' })).to.deep.equal({ effect: 1, n: 1 });
  });

  it('may be made again when their request was not sent, as with an open circuit', async () => {
    let isOpen = true;
    const circuit: Handler = (parameters, context) => {
      if (!isOpen) return count(parameters, context);
      throw new ToolkitError('UPSTREAM_UNAVAILABLE', 'Not asked.', { isSent: false });
    };
    const [kernel] = await kernelsOf(act(circuit));
    await rejection(kernel?.execute('act', { n: 1 }, { once: 'a' }) as Promise<unknown>, 'UPSTREAM_UNAVAILABLE');
    isOpen = false;
    expect(await kernel?.execute('act', { n: 1 }, { once: 'a' })).to.deep.equal({ effect: 1, n: 1 });
  });

  it('that failed in a way that leaves it open are not made again', async () => {
    const [kernel, other] = await kernelsOf(act(failing(new Error('lost'))));
    await rejection(kernel?.execute('act', {}, { once: 'a' }) as Promise<unknown>, 'EXECUTION_FAILED');
    for (const next of [kernel, other]) {
      const error = await rejection(next?.execute('act', {}, { once: 'a' }) as Promise<unknown>, 'OUTCOME_UNKNOWN');
      expect(error.message).to.include('EXECUTION_FAILED').and.to.include('another "once"');
    }
    expect(effects).to.equal(1);
  });

  it('that failed so are made again where twice is like once', async () => {
    const [kernel] = await kernelsOf(act(failing(new Error('lost')), { annotations: { idempotentHint: true } }));
    for (let attempt = 1; attempt <= 3; attempt++) {
      await rejection(kernel?.execute('act', {}, { once: 'a' }) as Promise<unknown>, 'EXECUTION_FAILED');
      expect(effects).to.equal(attempt);
    }
  });

  it('that have had their effect and then failed fail again in the same way', async () => {
    const [kernel] = await kernelsOf(act(() => ++effects, { output_schema: { type: 'string' } }));
    for (const _ of [1, 2]) await rejection(kernel?.execute('act', {}, { once: 'a' }) as Promise<unknown>, 'OUTPUT_INVALID');
    expect(effects).to.equal(1);
  });
});
