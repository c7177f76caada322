import { trace } from '@opentelemetry/api';
import { expect } from 'chai';
import { telemetry } from '../../../plugins/telemetry/index.ts';
import { spansInMemory } from '../../support/telemetry/spans-in-memory.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { type FunctionKernelOptions, functionKernel, suiteKernel } from './function-kernel.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const given = { traceparent, tracestate: 'vendor=planted' };

const script = 'export default (_, context) => context.traceparent ?? null;';

const python = `
def run(params, context):
    return context.traceparent
`;

/** As much of the package as a tool and the worker need, in pure Python. */
const opentelemetry = {
  context: `
import contextvars
active = contextvars.ContextVar("active", default=None)
attach = active.set
detach = active.reset
`,
  propagator: `
class TraceContextTextMapPropagator:
    def extract(self, carrier):
        return sorted(carrier.items())
`,
};

const instrumented = `
import asyncio, sys, types

def module(name, text):
    made = types.ModuleType(name)
    exec(text, made.__dict__)
    sys.modules[name] = made
    return made

package = module("opentelemetry", "__path__ = []")
package.context = module("opentelemetry.context", ${JSON.stringify(opentelemetry.context)})
module("opentelemetry.trace", "__path__ = []")
module("opentelemetry.trace.propagation", "__path__ = []")
module("opentelemetry.trace.propagation.tracecontext", ${JSON.stringify(opentelemetry.propagator)})

from opentelemetry import context as traces

def run(params, context):
    return traces.active.get()

async def wait(params, context):
    await asyncio.sleep(0)
    return traces.active.get()

def fails(params, context):
    raise ValueError("no such page")

def breaks(params, context):
    traces.attach = None
    return "broken"
`;

const options: FunctionKernelOptions = {
  files: { 'it.js': script, 'it.py': python },
  tools: {
    process: './it.js',
    thread: { code: './it.js', worker: true },
    child: { code: './it.js', worker: 'process' },
    python: './it.py',
  },
};
const places = Object.keys(options.tools);

describe('the place of a call in its trace', () => {
  const told = suiteKernel({ ...options, plugins: [telemetry({ metrics: false })] });
  const untold = suiteKernel({ ...options, plugins: [telemetry({ metrics: false, propagate: ['loopback'] })] });
  const untraced = suiteKernel(options);

  for (const tool of places)
    it(`is in the context of a function (${tool})`, async () => {
      expect((await told.kernel.call({ tool, trace: given })).output).to.equal(traceparent);
    });

  for (const tool of places)
    it(`is not there for one that belongs to no trace, also after one that did (${tool})`, async () => {
      expect((await told.kernel.call({ tool })).output).to.equal(null);
    });

  for (const tool of places)
    it(`is not there where workers are not told (${tool})`, async () => {
      expect((await untold.kernel.call({ tool, trace: given })).output).to.equal(null);
      expect((await untraced.kernel.call({ tool, trace: given })).output).to.equal(null);
    });
});

describe('a Python function that has loaded OpenTelemetry', () => {
  const suite = suiteKernel({
    files: { 'instrumented.py': instrumented, 'plain.py': python },
    tools: {
      ...Object.fromEntries(['run', 'wait', 'fails', 'breaks'].map((name) => [name, `./instrumented.py#${name}`])),
      plain: './plain.py',
    },
    executor: { maxPythonWorkers: 1 },
    plugins: [telemetry({ metrics: false })],
  });
  const outputOf = async (tool: string, trace = given): Promise<unknown> => (await suite.kernel.call({ tool, trace })).output;

  for (const name of ['run', 'wait'])
    it(`has its place in the trace as the active one, without the state of others (${name})`, async () => {
      expect(await outputOf(name)).to.deep.equal([['traceparent', traceparent]]);
    });

  it('leaves it with the end of its call, also of one that fails', async () => {
    await suite.kernel.call({ tool: 'fails', trace: given }).catch(() => {});
    expect((await suite.kernel.call({ tool: 'run' })).output).to.equal(null);
  });

  it('goes on without it where another version of the package does not take it', async () => {
    expect(await outputOf('breaks')).to.equal('broken');
    expect(await outputOf('run')).to.equal(null);
    expect(await outputOf('plain')).to.equal(traceparent);
  });
});

describe('a function in the process of the server', () => {
  it('runs with the span of its call as the active one, also after it has waited', async () => {
    const memory = spansInMemory();
    const handler = async (): Promise<unknown> => {
      const before = trace.getActiveSpan()?.spanContext().spanId;
      await new Promise(setImmediate);
      return [before, trace.getActiveSpan()?.spanContext().spanId];
    };
    const kernel = await testKernel({
      tools: [echoTool({ name: 'it', execution: { type: 'function', handler } })],
      plugins: [telemetry({ metrics: false })],
    });
    const { output } = await kernel.call({ tool: 'it', trace: given });
    const { spanId, traceId: found } = memory.span('execute_tool it');
    expect([output, found]).to.deep.equal([[spanId, spanId], traceId]);
  });

  it('gives the place of that span to its workers', async () => {
    const memory = spansInMemory();
    const { kernel } = await functionKernel({ ...options, plugins: [telemetry({ metrics: false })] });
    const { output } = await kernel.call({ tool: 'thread', trace: given });
    expect(output).to.equal(`00-${traceId}-${memory.span('execute_tool thread').spanId}-01`);
  });
});
