import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

const text = `
import asyncio, dataclasses, json, multiprocessing, os, queue, subprocess, sys, threading, traceback

def run(params, context):
    return {"value": params["value"]}

async def wait(params, context):
    await asyncio.sleep(0)
    return ["waited", params["value"]]

def gives(params, context):
    return eval(params["value"])

def fails(params, context):
    raise ValueError("no such page")

def fails_deep(params, context):
    json.loads("{")

def exits(params, context):
    sys.exit(4)

def prints(params, context):
    print("to standard output")
    sys.__stdout__.write("to the real one")
    os.write(1, b'{"id": 0, "type": "output", "output": "forged"}')
    print("to standard error", file=sys.stderr)
    subprocess.run(["echo", "from a child"], check=True)
    return "clean"

watched = queue.Queue()

def watch():
    # The file is there once the call has been answered.
    place = watched.get()
    main = threading.main_thread().ident
    while not any(frame.name == "get" for frame in traceback.extract_stack(sys._current_frames()[main])):
        pass
    open(place, "w").close()

threading.Thread(target=watch, daemon=True).start()

def prints_late(params, context):
    context.progress("begins")
    print("just before the answer")
    watched.put(params["value"])
    return "clean"

def reads(params, context):
    child = subprocess.run(["cat"], capture_output=True, text=True)
    try:
        return [child.stdout, input()]
    except EOFError:
        return [child.stdout, "end of file"]

def notes(params, context):
    for n in range(1, 51):
        context.progress(n, total=50)
    context.progress("last words")
    context.progress(1, message="é")
    context.log("warn", "half full", percent=50, odd={1, 2}.__class__)
    return [context.caller, context.call_id]

def secrets(params, context):
    return {"names": list(context.secrets), "length": len(context.secrets["SHOP_TOKEN"]), "env": sorted(os.environ)}

def loud(params, context):
    context.log("shout", "x")

def square(n):
    return n * n

def spawns(params, context):
    with multiprocessing.get_context(params["value"]).Pool(1) as pool:
        return pool.map(abs, [-1, 2])

def dataclass(params, context):
    @dataclasses.dataclass
    class Point:
        x: "int"
    return dataclasses.asdict(Point(3))
`;

/** A variable of this process that no function may see. */
const inherited = 'TOOLKIT_PYTHON_TEST_TOKEN';

const names = [...text.matchAll(/^(?:async )?def (\w+)\(params/gm)].map(([, name]) => name ?? '');

describe('a Python function', () => {
  const logger = memoryLogger();
  const suite = suiteKernel({
    files: { 'it.py': text },
    tools: { ...Object.fromEntries(names.map((name) => [name, `./it.py#${name}`])), unnamed: './it.py', gone: './it.py#absent' },
    definition: { secrets: ['SHOP_TOKEN'] },
    plugins: [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token', OTHER_TOKEN: 'value' } }), credentialsPlaceholder()],
    executor: { maxPythonWorkers: 1 },
    logger,
  });
  before(() => {
    process.env[inherited] = 'value-in-the-environment';
  });
  after(() => {
    delete process.env[inherited];
  });
  const file = (): string => path.join(suite.folder, 'it.py');

  const passed = [
    null,
    true,
    12.5,
    '',
    'Grüße 漢字 🎉',
    'line\u2028separator\u2029 and\r\nbreaks',
    '\ud800 alone',
    [1, [2]],
    { é: { deep: [{}] } },
  ];
  for (const value of passed) {
    it(`gets ${JSON.stringify(value)} and gives it back`, async () => {
      expect(await suite.kernel.execute('run', { value })).to.deep.equal({ value });
    });
  }

  it('may be asynchronous', async () => {
    expect(await suite.kernel.execute('wait', { value: 1 })).to.deep.equal(['waited', 1]);
  });

  it('is "run" when the definition names none', async () => {
    expect(await suite.kernel.execute('unnamed', { value: 2 })).to.deep.equal({ value: 2 });
  });

  it('that is not there is refused with the names that are', async () => {
    const error = await rejection(suite.kernel.execute('gone'), 'TOOL_INVALID');
    expect(error.message).to.include(`${file()} does not define the function "absent"`).and.include('run, wait, gives');
  });

  const outputs: [string, unknown][] = [
    ['None', null],
    ['(1, 2)', [1, 2]],
    ['{1: "a"}', { 1: 'a' }],
    ['"\\u2028 \\ud800"', '\u2028 \ud800'],
    ['-0.5', -0.5],
  ];
  for (const [value, expected] of outputs) {
    it(`that returns ${value} gives ${JSON.stringify(expected)}`, async () => {
      expect(await suite.kernel.execute('gives', { value })).to.deep.equal(expected);
    });
  }

  const unusable = [
    'float("nan")',
    '[float("inf")]',
    '{1, 2}',
    'b"bytes"',
    'object()',
    '{(1, 2): 3}',
    '(lambda a: a.append(a) or a)([])',
    'print',
  ];
  for (const value of unusable) {
    it(`that returns ${value} fails with OUTPUT_INVALID, and the next call is answered`, async () => {
      const error = await rejection(suite.kernel.execute('gives', { value }), 'OUTPUT_INVALID');
      expect(error.message).to.include('cannot be written as JSON');
      expect(await suite.kernel.execute('wait', { value: 1 })).to.deep.equal(['waited', 1]);
    });
  }

  const failures = [
    { name: 'fails', says: `The function of "fails" failed: ValueError: no such page (it.py:${lineOf('raise ValueError')})` },
    { name: 'fails_deep', says: `(it.py:${lineOf('json.loads')})` },
    { name: 'exits', says: 'SystemExit: 4' },
    { name: 'loud', says: 'expected the level error, warn, info or debug' },
  ];
  for (const { name, says } of failures) {
    it(`that ${name.replaceAll('_', ' ')} gives EXECUTION_FAILED with exception, file and line`, async () => {
      const error = await rejection(suite.kernel.execute(name), 'EXECUTION_FAILED');
      expect(error.message).to.include(says);
      expect(error.details.file).to.equal(file());
    });
  }

  it('may print without breaking the protocol', async () => {
    expect(await suite.kernel.execute('prints')).to.equal('clean');
    const printed = logger.records.find(({ message }) => message === 'python printed');
    expect(printed?.meta?.['text']).to.include('to standard output').and.include('to standard error');
    expect(await suite.kernel.execute('wait', { value: 1 })).to.deep.equal(['waited', 1]);
  });

  it('has what it prints logged with its own call, also when answer and print are read at once', async () => {
    const answered = path.join(suite.folder, 'answered');
    const onProgress = (): void => {
      // This thread sees neither of them before both are there.
      while (!existsSync(answered));
    };
    const before = logger.records.length;
    expect((await suite.kernel.call({ tool: 'prints_late', parameters: { value: answered }, onProgress })).output).to.equal('clean');
    const printed = logger.records.slice(before).filter(({ message }) => message === 'python printed');
    expect(printed.map(({ meta }) => meta?.['text'])).to.deep.equal(['just before the answer']);
  });

  it('finds an empty standard input, also in a program that it starts', async () => {
    expect(await suite.kernel.execute('reads')).to.deep.equal(['', 'end of file']);
  });

  it('passes progress and log lines on before the call ends', async () => {
    const seen: Progress[] = [];
    const { output, callId } = await suite.kernel.call({ tool: 'notes', caller: 'desk-4', onProgress: (note) => void seen.push(note) });
    expect(output).to.deep.equal(['desk-4', callId]);
    expect(seen.slice(48)).to.deep.equal([
      { progress: 49, total: 50 },
      { progress: 50, total: 50 },
      { message: 'last words' },
      { progress: 1, message: 'é' },
    ]);
    expect(logger.records).to.deep.include({ level: 'warn', message: 'half full', meta: { percent: 50, odd: "<class 'set'>" } });
  });

  it('gets its own secrets, and of the environment only what a program needs to run', async () => {
    const seen = (await suite.kernel.execute('secrets')) as { names: string[]; length: number; env: string[] };
    expect([seen.names, seen.length]).to.deep.equal([['SHOP_TOKEN'], 'value-of-shop-token'.length]);
    expect(seen.env).to.include('PATH').and.not.include(inherited);
  });

  for (const method of ['fork', 'spawn']) {
    it(`may start processes of its own by ${method}`, async () => {
      expect(await suite.kernel.execute('spawns', { value: method })).to.deep.equal([1, 2]);
    });
  }

  it('may use dataclasses, which look their module up', async () => {
    expect(await suite.kernel.execute('dataclass')).to.deep.equal({ x: 3 });
  });
});

function lineOf(part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}
