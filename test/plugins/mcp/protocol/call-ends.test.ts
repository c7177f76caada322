import { once } from 'node:events';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin, type ErrorCode, type Plugin } from '../../../../kernel/index.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { executorFunction, type FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel, testKernel } from '../../../support/test-kernel.ts';
import { ended, familyProgram, pidsIn } from '../../executor-command/processes.ts';
import { connect, failure, gate, handlerTool, quiet, textOf } from '../support/client.ts';

/** A plugin that tells how each call ended, and the ends in their order. */
function trail(): { readonly plugin: Plugin; next(): Promise<ErrorCode | 'completed'> } {
  const ends: (ErrorCode | 'completed')[] = [];
  let wake = gate();
  const codeOf = ({ outcome }: CallEnd) => (outcome.type === 'failed' ? outcome.error.code : 'completed');
  const apply: Parameters<typeof definePlugin>[0]['apply'] = ({ hooks }) =>
    hooks.settled.tap('trail', (end) => {
      ends.push(codeOf(end));
      wake.open();
    });
  return {
    plugin: definePlugin({ name: 'trail', apiVersion, apply })(),
    async next() {
      while (ends.length === 0) await wake.opened.then(() => (wake = gate()));
      return ends.shift() as ErrorCode;
    },
  };
}

/** Answers with the process ids of itself and of a child that it starts, and never ends by itself. */
const familyFiles = {
  'family.mjs': familyProgram,
  'family.py': [
    'import os, subprocess, time',
    'def run(parameters, context):',
    '    child = subprocess.Popen(["sleep", "1000"])',
    '    part = parameters["file"] + ".part"',
    '    with open(part, "w") as file: file.write("%d %d" % (os.getpid(), child.pid))',
    '    os.rename(part, parameters["file"])',
    '    time.sleep(1000)',
  ].join('\n'),
  'spin.mjs': 'export default ({ file }, context) => { context.progress("spins"); for (;;); };',
};

const aborted = (signal: AbortSignal): Promise<unknown> => (signal.aborted ? Promise.resolve() : once(signal, 'abort'));

describe('tools/call: cancellation', () => {
  it('reaches the signal of a function', async () => {
    const [started, stopped] = [gate<FunctionContext>(), gate<unknown>()];
    const tool = handlerTool(async (_, context) => {
      started.open(context);
      await aborted(context.signal);
      stopped.open(context.signal.reason);
      return 'done';
    });
    const ends = trail();
    const { call } = await connect(await testKernel({ tools: [tool], plugins: [ends.plugin] }));
    const cancel = new AbortController();
    const answer = call('it', {}, { signal: cancel.signal }).catch((error: Error) => error);
    await started.opened;
    cancel.abort('changed my mind');
    expect(await stopped.opened).to.include({ code: 'ABORTED' });
    expect(await ends.next()).to.equal('ABORTED');
    expect(await answer).to.be.instanceOf(Error);
  });

  it('ends the call of a function that does not listen, and what it gives later is not sent', async () => {
    const [started, release] = [gate(), gate()];
    const tool = handlerTool(async () => {
      started.open();
      await release.opened;
      return 'too late';
    });
    const ends = trail();
    const { client, call, sent } = await connect(await testKernel({ tools: [tool], plugins: [ends.plugin] }));
    const cancel = new AbortController();
    const answer = call('it', {}, { signal: cancel.signal }).catch(() => 'cancelled');
    await started.opened;
    const before = sent.length;
    cancel.abort();
    expect(await ends.next()).to.equal('ABORTED');
    release.open();
    expect(await answer).to.equal('cancelled');
    await quiet(client);
    expect(sent.slice(before).filter((message) => !('result' in message && Object.keys(message.result).length === 0))).to.deep.equal([]);
  });

  it('closes the connection of an http tool', async () => {
    const [arrived, closed] = [gate(), gate()];
    const { url } = await loopback((_request, response) => {
      response.once('close', () => closed.open());
      arrived.open();
    });
    const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
    const ends = trail();
    const { call } = await connect(await testKernel({ tools: [tool], plugins: [executorHttp(), ends.plugin] }));
    const cancel = new AbortController();
    call('it', {}, { signal: cancel.signal }).catch(() => {});
    await arrived.opened;
    cancel.abort();
    await closed.opened;
    expect(await ends.next()).to.equal('ABORTED');
  });

  it('closes the connection of an http tool in the middle of its answer', async () => {
    const closed = gate();
    const { url } = await loopback((_request, response) => {
      response.once('close', () => closed.open());
      response.writeHead(200, { 'content-type': 'text/plain' }).write('x'.repeat(1024 * 1024));
    });
    const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
    const { call } = await connect(await testKernel({ tools: [tool], plugins: [executorHttp()] }));
    const cancel = new AbortController();
    call('it', {}, { signal: cancel.signal, onprogress: () => cancel.abort() }).catch(() => {});
    await closed.opened;
  });

  const families = [
    { title: 'a program', execution: { type: 'command', command: process.execPath, args: ['family.mjs', '{file}'] } },
    { title: 'a Python process', execution: { type: 'function', code: './family.py' } },
  ];
  for (const { title, execution } of families) {
    it(`ends ${title} and what it started`, async () => {
      const definition = { name: 'it', description: 'd', parameters: { file: { type: 'string' } }, execution };
      const folder = await temporaryFolder({ ...familyFiles, 'it.yaml': JSON.stringify(definition) });
      const ends = trail();
      const plugins = [toolFiles({ toolPaths: [folder] }), executorCommand(), executorFunction(), ends.plugin];
      const { call } = await connect(await bareKernel({ plugins, cwd: folder }));
      const cancel = new AbortController();
      call('it', { file: path.join(folder, 'pids') }, { signal: cancel.signal }).catch(() => {});
      const pids = await pidsIn(path.join(folder, 'pids'));
      expect(pids).to.have.length(2);
      cancel.abort();
      expect(await ends.next()).to.equal('ABORTED');
      await ended(pids);
    });
  }

  it('ends a worker thread in the middle of a computation', async () => {
    const definition = { name: 'it', description: 'd', execution: { type: 'function', code: './spin.mjs', worker: true } };
    const folder = await temporaryFolder({ ...familyFiles, 'it.yaml': JSON.stringify(definition) });
    const ends = trail();
    const { call } = await connect(
      await bareKernel({ plugins: [toolFiles({ toolPaths: [folder] }), executorFunction(), ends.plugin], cwd: folder }),
    );
    const cancel = new AbortController();
    call('it', {}, { signal: cancel.signal, onprogress: () => cancel.abort() }).catch(() => {});
    expect(await ends.next()).to.equal('ABORTED');
  });

  it('reaches the tool that a tool is waiting for', async () => {
    const started = gate();
    const inner = handlerTool(
      async (_, { signal }) => {
        started.open();
        await aborted(signal);
        return 'done';
      },
      { name: 'inner' },
    );
    const outer = handlerTool((_, { tools }) => tools.call('inner', {}));
    const ends = trail();
    const { call } = await connect(await testKernel({ tools: [inner, outer], plugins: [ends.plugin] }));
    const cancel = new AbortController();
    call('it', {}, { signal: cancel.signal }).catch(() => {});
    await started.opened;
    cancel.abort();
    expect([await ends.next(), await ends.next()]).to.deep.equal(['ABORTED', 'ABORTED']);
  });

  it('ends one call and no other', async () => {
    const releases: (() => void)[] = [];
    const both = gate();
    const tool = handlerTool(async () => {
      const release = gate();
      if (releases.push(() => release.open()) === 2) both.open();
      await release.opened;
      return 'done';
    });
    const ends = trail();
    const { client, call } = await connect(await testKernel({ tools: [tool], plugins: [ends.plugin] }));
    const cancel = new AbortController();
    const [first, second] = [call('it', {}, { signal: cancel.signal }).catch(() => 'cancelled'), call('it')];
    await both.opened;
    cancel.abort();
    expect(await ends.next()).to.equal('ABORTED');
    await client.notification({ method: 'notifications/cancelled', params: { requestId: 4711 } });
    for (const release of releases) release();
    expect(await first).to.equal('cancelled');
    expect(textOf(await second)).to.equal('done');
  });

  it('comes with the end of the connection, for the calls of that client alone', async () => {
    const [started, release] = [gate(), gate()];
    let running = 0;
    const tool = handlerTool(async () => {
      if (++running === 2) started.open();
      await release.opened;
      return 'done';
    });
    const ends = trail();
    const kernel = await testKernel({ tools: [tool], plugins: [ends.plugin] });
    const [leaving, staying] = [await connect(kernel), await connect(kernel)];
    leaving.call('it').catch(() => {});
    const answer = staying.call('it');
    await started.opened;
    await leaving.client.close();
    expect(await ends.next()).to.equal('ABORTED');
    release.open();
    expect(textOf(await answer)).to.equal('done');
  });
});

describe('tools/call: the time limit', () => {
  const hangs = async (): Promise<Readonly<Record<string, unknown>>[]> => {
    const { url } = await loopback(() => {});
    return [
      { type: 'function', handler: () => new Promise(() => {}) },
      { type: 'http', method: 'get', url },
      { type: 'command', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] },
    ];
  };
  for (const [index, type] of ['function', 'http', 'command'].entries()) {
    it(`of a ${type} tool ends the call with a result that says so`, async () => {
      const tool = { name: 'it', description: 'd', execution: { ...(await hangs())[index], timeout_ms: 30 } };
      const { call } = await connect(await testKernel({ tools: [tool], plugins: [executorHttp(), executorCommand()] }));
      const error = failure(await call('it'), 'TIMEOUT');
      expect(error).to.include({ tool: 'it', timeoutMs: 30, retryable: true });
      expect(error['message']).to.equal(
        'The tool "it" did not end within 30 ms and was stopped. Ask for less; its definition can allow more (execution.timeout_ms).',
      );
    });
  }

  it('is that of each call: one that is over ends no other', async () => {
    const started = gate();
    const release = gate();
    const quick = handlerTool(() => new Promise(() => {}), { name: 'quick' });
    const steady = handlerTool(async () => {
      started.open();
      await release.opened;
      return 'done';
    });
    const limited = { ...quick, execution: { ...(quick['execution'] as object), timeout_ms: 10 } };
    const { call } = await connect(await testKernel({ tools: [limited, steady] }));
    const answer = call('it');
    await started.opened;
    failure(await call('quick'), 'TIMEOUT');
    release.open();
    expect(textOf(await answer)).to.equal('done');
  });
});
