import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { after, before } from 'mocha';

/** The built program: one that compiles its sources takes seconds to start. */
const program = path.resolve('dist/plugins/toolkit/main.js');

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

/** One server, seen from outside. */
class Served {
  readonly folder: string;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Lines on standard output. */
  readonly lines: string[] = [];
  readonly exit: Promise<number | null>;
  stderr = '';
  #nextId = 1;
  readonly #waiting = new Map<unknown, (message: Message) => void>();

  private constructor(folder: string, args: readonly string[]) {
    this.folder = folder;
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    this.child = spawn(process.execPath, [program, 'mcp', ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.exit = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // A server that has ended reads no more: its end is what tells.
    this.child.stdin.on('error', () => {});
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#receive(line));
  }

  static async open(files: Readonly<Record<string, string>>, args: readonly string[] = ['--tool-paths', 'tools']): Promise<Served> {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    await mkdir(path.join(folder, 'tools'));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    const served = new Served(folder, args);
    const clientInfo = { name: 'test', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await served.request({ method: 'initialize', params }).catch(async (error: unknown) => {
      await served.end();
      throw error;
    });
    served.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return served;
  }

  write(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  request(message: object): Promise<Message> {
    const id = this.#nextId++;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
    return Promise.race([answer, this.exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${this.stderr}`)))]);
  }

  call(name: string): Promise<Message> {
    return this.request({ method: 'tools/call', params: { name, arguments: {} } });
  }

  #receive(line: string): void {
    this.lines.push(line);
    // What is no message of the server is for the test to find.
    if (!line.startsWith('{"') || line.includes('noise')) return;
    const message = JSON.parse(line) as Message;
    this.#waiting.get(message.id)?.(message);
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
    await rm(this.folder, { recursive: true });
  }
}

/** Function bodies that write the text `noise` to standard output. */
const noises: Readonly<Record<string, string>> = {
  console_log: 'console.log(noise)',
  console_table: 'console.info(noise); console.table([noise]); console.dir({ noise })',
  stdout_write: 'process.stdout.write(noise)',
  stdout_callback: 'await new Promise((resolve) => process.stdout.write(noise, resolve))',
  stdout_pipe: '(await import("node:stream")).Readable.from([noise]).pipe(process.stdout, { end: false })',
  write_sync: 'fs.writeSync(1, noise)',
  write_named: 'writeSync(1, noise)',
  write: 'await new Promise((resolve) => fs.write(1, noise, resolve))',
  write_buffer: 'await new Promise((resolve) => fs.write(1, Buffer.from(noise), resolve))',
  writev_sync: 'fs.writevSync(1, [Buffer.from(noise)])',
  writev: 'await new Promise((resolve) => fs.writev(1, [Buffer.from(noise)], resolve))',
  write_file: 'await new Promise((resolve) => fs.writeFile(1, noise, resolve))',
  write_file_sync: 'fs.writeFileSync(1, noise)',
  append_file_sync: 'fs.appendFileSync(1, noise)',
  write_stream: 'await new Promise((resolve) => fs.createWriteStream("", { fd: 1, autoClose: false }).write(noise, resolve))',
  forged: 'console.log(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [], noise } }))',
};

const pythonNoises: Readonly<Record<string, string>> = {
  print: 'print(noise, flush=True)',
  write: 'sys.stdout.write(noise); sys.stdout.flush(); sys.__stdout__.write(noise); sys.__stdout__.flush()',
  descriptor: 'os.write(1, noise.encode())',
  program: 'subprocess.run(["echo", noise])',
};

function toolFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  const add = (name: string, file: string, text: string, more: object = {}): void => {
    const execution = { type: 'function', code: `./${file}`, ...more };
    files[`tools/${name}.yaml`] = JSON.stringify({ name, description: 'Prints.', execution });
    files[`tools/${file}`] = text;
  };
  for (const [name, body] of Object.entries(noises)) {
    const text = [
      "import fs, { writeSync } from 'node:fs';",
      'export const touched = [fs, writeSync];',
      `export default async () => { const noise = 'noise ${name}\\n'; ${body}; return 'done'; };`,
    ].join('\n');
    add(`function_${name}`, `${name}.mjs`, text);
    add(`thread_${name}`, `${name}.mjs`, text, { worker: true });
  }
  for (const [name, body] of Object.entries(pythonNoises)) {
    const lines = [
      'import os, subprocess, sys',
      'def run(parameters, context):',
      `    noise = "noise ${name}\\n"`,
      `    ${body}`,
      '    return "done"',
    ];
    add(`python_${name}`, `${name}.py`, lines.join('\n'));
  }
  return files;
}

const quietTool = {
  'tools/quiet.yaml': JSON.stringify({ name: 'quiet', description: 'd', execution: { type: 'function', code: './quiet.mjs' } }),
  'tools/quiet.mjs': "export default () => 'done';",
};

/** Answers with the turn of the event loop in which it runs. */
const turnTool = {
  'tools/turn.yaml': JSON.stringify({ name: 'turn', description: 'd', execution: { type: 'function', code: './turn.mjs' } }),
  'tools/turn.mjs': `
    let [turn, isCounting] = [0, false];
    export default () => {
      if (!isCounting) setImmediate(() => [turn, isCounting] = [turn + 1, false]);
      isCounting = true;
      return String(turn);
    };
  `,
};

describe('standard output of a server on stdio', () => {
  let served: Served | undefined;
  before(async () => {
    served = await Served.open(toolFiles());
  });
  after(() => served?.end());

  const names = [
    ...Object.keys(noises).flatMap((name) => [`function_${name}`, `thread_${name}`]),
    ...Object.keys(pythonNoises).map((name) => `python_${name}`),
  ];
  for (const name of names) {
    it(`carries nothing that ${name} prints`, async () => {
      if (served === undefined) throw new Error('the server is there inside tests only');
      const start = served.lines.length;
      const { result } = await served.call(name);
      expect(result?.content?.map(({ text }) => text)).to.deep.equal(['done']);
      await served.request({ method: 'ping' });
      const lines = served.lines.slice(start);
      expect(lines.filter((line) => line.includes('noise'))).to.deep.equal([]);
      expect(lines.map((line) => (JSON.parse(line) as Message).jsonrpc)).to.deep.equal(['2.0', '2.0']);
    });
  }

  it('is not the end of what is printed: it goes to standard error', () => {
    for (const name of ['console_log', 'stdout_write', 'write_sync', 'writev']) expect(served?.stderr).to.include(`noise ${name}`);
  });
});

describe('standard output of the command', () => {
  it('carries nothing that the configuration and its plugins print while they load', async () => {
    const config = `
      import { apiVersion, definePlugin } from '@toolkit/core';
      console.log('noise of the configuration');
      const apply = ({ hooks }) => {
        process.stdout.write('noise of apply\\n');
        hooks.discover.tap('loud', () => console.log('noise of discover'));
      };
      export default { plugins: [definePlugin({ name: 'loud', apiVersion, apply })()] };
    `;
    const served = await Served.open({ 'toolkit.config.mjs': config }, []);
    try {
      expect(served.lines.filter((line) => line.includes('noise'))).to.deep.equal([]);
    } finally {
      await served.end();
    }
  });
});

describe('standard input of a server on stdio', () => {
  const opened: Served[] = [];
  const open = async (): Promise<Served> => {
    const served = await Served.open(quietTool);
    opened.push(served);
    return served;
  };
  after(() => Promise.all(opened.map((served) => served.end())));

  it('may hold lines that are no messages', async () => {
    const served = await open();
    const start = served.lines.length;
    const broken = [
      '{',
      'not json',
      '{"jsonrpc":"2.0"',
      '[]',
      '[1,2]',
      'null',
      '7',
      '"text"',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '',
      '   ',
    ];
    for (const line of broken) served.write(`${line}\n`);
    served.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    expect(await served.call('quiet')).to.have.nested.property('result.content[0].text', 'done');
    const codes = served.lines.slice(start).map((line) => (JSON.parse(line) as { error?: { code: number } }).error?.code);
    // Bytes that are no text are refused before the lines that wait are taken.
    expect(codes).to.have.members([-32700, -32700, -32700, ...Array<number>(7).fill(-32600), -32700, undefined]);
  });

  it('may begin with a byte order mark, and have one before each message', async () => {
    const served = await open();
    const start = served.lines.length;
    served.write('\ufeff{"jsonrpc":"2.0","id":"first","method":"ping"}\n\ufeff{"jsonrpc":"2.0","id":"second","method":"ping"}\n');
    await served.call('quiet');
    const ids = served.lines.slice(start).map((line) => (JSON.parse(line) as Message).id);
    expect(ids.slice(0, 2)).to.deep.equal(['first', 'second']);
  });

  it('gives others their turn after 32 messages, however many come at once', async () => {
    const served = await Served.open(turnTool);
    opened.push(served);
    await served.call('turn');
    const answers: Promise<Message>[] = [];
    served.child.stdin.cork();
    for (let calls = 0; calls < 200; calls++) answers.push(served.call('turn'));
    served.child.stdin.uncork();
    const turns = (await Promise.all(answers)).map(({ result }) => result?.content?.[0]?.text);
    const counts = [...new Set(turns)].map((turn) => turns.filter((other) => other === turn).length);
    expect(Math.max(...counts)).to.be.at.most(32);
  });

  it('ends the server when it ends', async () => {
    const served = await open();
    served.child.stdin.end();
    expect(await served.exit).to.equal(0);
    expect(served.child.signalCode).to.equal(null);
  });

  it('ends the server when it ends in the middle of a message', async () => {
    const served = await open();
    served.child.stdin.end('{"jsonrpc":"2.0","id":');
    expect(await served.exit).to.equal(0);
  });
});
