import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { CallOutput } from '../../../kernel/index.ts';
import { sandboxBwrap } from '../../../plugins/sandbox-bwrap/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** Kinds of programs, by the tool that runs a script of Python in each. */
export const kinds = { 'a command tool': 'probe_command', system_execute: 'system_execute', 'a Python tool': 'probe_python' } as const;
export type Kind = keyof typeof kinds;

/** A script in the sandbox: what it printed, and what the caller was told beside. */
export interface Probe {
  readonly text: string;
  readonly note: string;
}

/** Where things are, for scripts: each is a variable of the same name in upper case. */
export interface Places {
  /** A folder around all others, with files that programs must not reach. */
  readonly outside: string;
  readonly root: string;
  readonly home: string;
  /** A folder of the PATH, outside of the root. */
  readonly programs: string;
  readonly server_pid: number;
  readonly loopback_port: number;
  readonly bwrap: string;
}

export interface Project {
  readonly places: Places;
  run(kind: Kind, script: string): Promise<Probe>;
  /** The same without a sandbox, as a command tool. */
  runPlain(script: string): Promise<Probe>;
  /** By a kernel of `toolkit()`. */
  runWith(toolkit: Toolkit, kind: Kind, script: string): Promise<Probe>;
  /** By another tool of the project. */
  runTool(tool: string, script: string): Promise<Probe>;
  /** Any call in the sandbox. */
  call(tool: string, parameters: Readonly<Record<string, unknown>>): Promise<CallOutput>;
  /** Another one with a sandbox, closed with the project. */
  toolkit(options: Parameters<typeof sandboxBwrap>[0]): Promise<Toolkit>;
  close(): Promise<void>;
}

const secret = 'SWORDFISH=1';

const rights = {
  probe_command: '',
  probe_network: ', network: true',
  probe_git: ', writes: [git]',
  probe_packages: ', writes: [packages]',
} as const;

const definitions = Object.fromEntries(
  Object.entries(rights).map(([name, keys]) => [
    `tools/${name}.yaml`,
    `name: ${name}\ndescription: Runs a script.\nparameters: { script: { type: string, required: true } }\nexecution: { type: command, command: python3, args: [-c, "{script}"]${keys} }\n`,
  ]),
);

const python = (name: string, keys: string): string =>
  `name: ${name}\ndescription: Runs a script.\nparameters: { script: { type: string, required: true } }\nexecution: { type: function, code: ./probe.py${keys} }\n`;

/** Prints to a text, so that one process can serve many scripts. */
const probe = `import contextlib, io, os

def run(parameters, context):
    printed = io.StringIO()
    os.chdir(parameters["script"].splitlines()[0].split("=", 1)[1].strip("'"))
    with contextlib.redirect_stdout(printed):
        exec(parameters["script"], {})
    return printed.getvalue()
`;

/** A project with control files, secrets, sockets and neighbours, and its tools with and without a sandbox. */
export async function openProject(): Promise<Project> {
  const outside = await temporaryFolder({
    'outside.txt': 'a neighbour',
    'home/.ssh/id_ed25519': secret,
    'home/.local/state/toolkit/host.key': secret,
    'home/.cache/toolkit/kept.json': '{}',
    'programs/hello': '#!/bin/sh\necho hello\n',
    'project/data.txt': 'data',
    'project/.env': secret,
    'project/service/.env': secret,
    'project/conf/policy/policy.yaml': 'rules: []\n',
    'project/node_modules/left/index.js': '',
    ...Object.fromEntries(Object.entries(definitions).map(([name, text]) => [`project/${name}`, text])),
    'project/tools/probe_python.yaml': python('probe_python', ''),
    'project/tools/probe_python_network.yaml': python('probe_python_network', ', network: true'),
    'project/tools/probe.py': probe,
  });
  const root = path.join(outside, 'project');
  execFileSync('git', ['init', '-q', root]);
  await writeFile(path.join(root, '.git', 'config'), '[user]\n\tname = a\n\temail = a@example.com\n');
  await link(path.join(root, '.env'), path.join(root, 'notes.txt'));
  await symlink('.env', path.join(root, 'settings'));
  await mkdir(path.join(outside, 'shared-tmp'));
  const loopback = await listening(net.createServer(), { port: 0, host: '127.0.0.1' });
  const sockets = [
    await listening(net.createServer(), { path: path.join(outside, 'agent.sock') }),
    await listening(net.createServer(), { path: path.join(root, 'project.sock') }),
    await listening(net.createServer(), { path: `\0toolkit-sandbox-${process.pid}` }),
  ];
  const neighbour = spawn('sleep', ['3600'], { env: { SWORDFISH: '1' }, stdio: 'ignore' });
  const before = { HOME: process.env['HOME'], PATH: process.env['PATH'] };
  const programs = path.join(outside, 'programs');
  process.env['HOME'] = path.join(outside, 'home');
  process.env['PATH'] = `${before.PATH}${path.delimiter}${programs}`;
  const toolkits: Toolkit[] = [];
  const open = async (options: Parameters<typeof sandboxBwrap>[0] | undefined): Promise<Toolkit> => {
    const toolkit = await Toolkit.init({
      cwd: root,
      toolPaths: ['tools'],
      autoDiscover: false,
      plugins: options === undefined ? [] : [sandboxBwrap(options)],
    });
    toolkits.push(toolkit);
    return toolkit;
  };
  const [sandboxed, plain] = [await open({ roots: [root] }), await open(undefined)];
  const places: Places = {
    outside,
    root,
    home: path.join(outside, 'home'),
    programs,
    server_pid: process.pid,
    loopback_port: (loopback.address() as net.AddressInfo).port,
    bwrap: execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim(),
  };
  const scriptOf = (script: string): string =>
    [
      ...Object.entries(places)
        .sort(([a], [b]) => Number(b === 'root') - Number(a === 'root'))
        .map(([name, value]) => `${name.toUpperCase()}=${typeof value === 'string' ? `'${value}'` : value}`),
      prelude,
      script,
    ].join('\n');
  return {
    places,
    run: (kind, script) => runIn(sandboxed, kinds[kind], scriptOf(script), root),
    runPlain: (script) => runIn(plain, 'probe_command', scriptOf(script), root),
    runWith: (toolkit, kind, script) => runIn(toolkit, kinds[kind], scriptOf(script), root),
    runTool: (tool, script) => runIn(sandboxed, tool, scriptOf(script), root),
    call: (tool, parameters) => sandboxed.kernel.call({ tool, parameters }),
    toolkit: open,
    async close() {
      process.env['HOME'] = before.HOME;
      process.env['PATH'] = before.PATH;
      await Promise.all(toolkits.map((toolkit) => toolkit.close()));
      for (const server of [loopback, ...sockets]) server.close();
      await ended(neighbour);
    },
  };
}

/** Lines before every script: `attempt` prints the result of a system call. */
const prelude = `
import ctypes, errno, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)

def system(name, *given):
    if getattr(libc, name)(*given) == -1:
        raise OSError(ctypes.get_errno(), name)

def attempt(run):
    try:
        print("DONE", run())
    except OSError as error:
        print("REFUSED", errno.errorcode.get(error.errno, error))
`;

/** Runs a script by a tool and gives what came of it. */
async function runIn(toolkit: Toolkit, tool: string, script: string, root: string): Promise<Probe> {
  const parameters = tool === 'system_execute' ? { command: 'python3', arguments: ['-c', script], working_directory: root } : { script };
  const { output, meta } = await toolkit.kernel.call({ tool, parameters });
  if (typeof output === 'string') return { text: output.trim(), note: String(meta['note'] ?? '') };
  const { stdout, stderr, note = '' } = output as { readonly stdout: string; readonly stderr: string; readonly note?: string };
  return { text: `${stdout}${stderr}`.trim(), note };
}

async function listening(server: net.Server, where: net.ListenOptions): Promise<net.Server> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  return server;
}

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await end;
}
