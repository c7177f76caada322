import { expect } from 'chai';
import { functionKernel } from './function-kernel.ts';
import { ended } from './processes.ts';

const text = `
import _thread, asyncio, concurrent.futures, json, os, subprocess, threading, time

pool = concurrent.futures.ThreadPoolExecutor(1)
pool.submit(int).result()
helper = subprocess.Popen(["sleep", "1000"])

def forever():
    while True:
        time.sleep(1000)

def answer(id, output):
    os.write(3, (json.dumps({"id": id, "type": "output", "output": output}) + "\\n").encode())

def pid(params, context):
    return os.getpid()

def thread(params, context):
    threading.Thread(target=forever, daemon=True).start()
    return os.getpid()

def low_thread(params, context):
    _thread.start_new_thread(forever, ())
    return os.getpid()

def timer(params, context):
    threading.Timer(1000, forever).start()
    return os.getpid()

def failing(params, context):
    threading.Thread(target=forever, daemon=True).start()
    raise ValueError("pid %d" % os.getpid())

def no_json(params, context):
    threading.Thread(target=forever, daemon=True).start()
    return {1, 2}

def forked(params, context):
    if os.fork() == 0:
        forever()
    return os.getpid()

def joined(params, context):
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    pool.submit(int).result()
    return os.getpid()

async def in_thread(params, context):
    await asyncio.to_thread(int)
    return os.getpid()

def waited(params, context):
    subprocess.run(["true"])
    return os.getpid()

def forges_next(params, context):
    answer(context._id + 1, "forged")
    return os.getpid()

def forges_behind(params, context):
    mine = json.dumps({"id": context._id, "type": "output", "output": os.getpid()})
    other = json.dumps({"id": context._id + 1, "type": "output", "output": "forged"})
    os.write(3, (mine + "\\n" + other + "\\n").encode())
    return 0

def forges_later(params, context):
    id = context._id
    def later():
        while True:
            answer(id + 1, "forged")
    threading.Thread(target=later, daemon=True).start()
    return os.getpid()
`;

const plain = text.replace('helper = subprocess.Popen(["sleep", "1000"])', '');

const names = [...text.matchAll(/^(?:async )?def (\w+)\(params/gm)].map(([, name]) => name ?? '');

interface Row {
  readonly tool: string;
  readonly what: string;
  readonly isReplaced: boolean;
  /** The call itself ends with an error. */
  readonly fails?: true | 'perhaps';
  /** The code has started a process when it was loaded. */
  readonly hasHelper?: true;
}

const rows: readonly Row[] = [
  { tool: 'thread', what: 'leaves a thread', isReplaced: true },
  { tool: 'low_thread', what: 'leaves a thread that the module threading does not know', isReplaced: true },
  { tool: 'timer', what: 'leaves a timer', isReplaced: true },
  { tool: 'failing', what: 'leaves a thread and fails', isReplaced: true, fails: true },
  { tool: 'no_json', what: 'leaves a thread and returns what is no JSON', isReplaced: true, fails: true },
  { tool: 'forked', what: 'leaves a child process', isReplaced: true },
  { tool: 'forges_next', what: 'writes the answer of the next call', isReplaced: true, fails: true },
  { tool: 'forges_behind', what: 'writes the answer of the next call behind its own', isReplaced: true },
  // It may be seen before its own answer is.
  { tool: 'forges_later', what: 'leaves a thread that answers what others ask', isReplaced: true, fails: 'perhaps' },
  { tool: 'joined', what: 'waits for its thread, and for one of a pool that was there when the code was loaded', isReplaced: false },
  { tool: 'in_thread', what: 'lets asyncio work in a thread', isReplaced: false },
  { tool: 'waited', what: 'waits for its child process', isReplaced: false },
  { tool: 'waited', what: 'runs beside a process that its code has started when it was loaded', isReplaced: false, hasHelper: true },
];

describe('a Python process in which a call', () => {
  for (const { tool, what, isReplaced, fails, hasHelper } of rows)
    it(`${what} ${isReplaced ? 'ends after that answer' : 'serves the next one'}`, async () => {
      const files = { 'it.py': hasHelper === true ? text : plain };
      const tools = Object.fromEntries(names.map((name) => [name, `./it.py#${name}`]));
      const { kernel } = await functionKernel({ files, tools, executor: { maxPythonWorkers: 1 } });
      const before = (await kernel.execute('pid')) as number;
      const outcome = await kernel.execute(tool).catch(() => 'failed');
      expect(outcome).to.be.oneOf([...(fails === undefined ? [] : ['failed']), ...(fails === true ? [] : [before])]);
      const after = await kernel.execute('pid');
      expect(after).to.be.a('number');
      expect(after === before).to.equal(!isReplaced);
      if (isReplaced) await ended(before);
    });
});
