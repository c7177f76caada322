import { execFileSync, spawn } from 'node:child_process';
import { access, chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles } from '../../kernel/index.ts';
import { Sandbox } from '../../plugins/sandbox-bwrap/sandbox.ts';
import { systemMounts } from '../../plugins/sandbox-bwrap/system-folders.ts';
import { findBubblewrap } from '../../plugins/shared/process/bubblewrap.ts';
import { giveInstructions } from '../../plugins/shared/process/program.ts';
import { telemetry } from '../../plugins/telemetry/index.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { rejection } from '../support/rejection.ts';
import { foldersForFile, temporaryFolder, writeFiles } from '../support/temporary.ts';
import { bareKernel } from '../support/test-kernel.ts';
import { until } from '../support/until.ts';
import { type Kind, kinds, openProject, type Project } from './sandbox/project.ts';
import { spawnAs } from './sandbox/spawn-as.ts';
import { helpers, waysOut } from './sandbox/ways-out.ts';

const all = Object.keys(kinds) as Kind[];

describe('the sandbox of bubblewrap', () => {
  let project: Project;
  const inRoot = (...parts: string[]): string => path.join(project.places.root, ...parts);
  const isThere = (place: string): Promise<boolean> =>
    access(place).then(
      () => true,
      () => false,
    );

  before(async () => {
    const found = await findBubblewrap();
    // A suite that skips is a sandbox that nobody has tried.
    if (found.type === 'fails') throw new Error(`This suite needs bubblewrap: ${found.message}. ${found.hint}`);
    project = await foldersForFile(openProject);
    await writeFile(path.join('/dev/shm', path.basename(project.places.outside)), 'x');
  });

  after(async () => {
    if (project === undefined) return;
    await rm(path.join('/dev/shm', path.basename(project.places.outside)), { force: true });
    await project.close();
  });

  for (const kind of all) {
    describe(`around ${kind}`, () => {
      for (const { way, script, refused } of waysOut) {
        it(`cannot ${way}`, async () => {
          const { text } = await project.run(kind, `${helpers}\n${script}`);
          expect(text).to.match(/^REFUSED \w+$/);
          expect(refused).to.include(text.split(' ')[1]);
        });
      }

      it('cannot leave control files behind', async () => {
        const names = ['toolkit.config.yaml', '.env.local', 'late/.git/hooks/post-checkout', 'late/deep/node_modules/evil/index.js'];
        const made = names.map(
          (name) => `os.makedirs(os.path.dirname("${name}") or ".", exist_ok=True); open("${name}", "w").write("evil")`,
        );
        const { text, note } = await project.run(kind, `${made.join('\n')}\nprint("MADE")`);
        expect(text).to.equal('MADE');
        const [folder = ''] = /\.toolkit\/quarantine\/[\w-]+/.exec(note) ?? [];
        for (const name of names) {
          expect(await isThere(inRoot(name)), name).to.equal(false);
          expect(await readFile(inRoot(folder, name), 'utf8')).to.equal('evil');
        }
        for (const name of ['toolkit.config.yaml', '.env.local', 'late/.git', 'late/deep/node_modules'])
          expect(note).to.include(`"${name}"`);
      });

      it('leaves nothing beside the root', async () => {
        const { places } = project;
        await project.run(kind, 'open(OUTSIDE + "/new", "w").write("x"); open("/tmp/toolkit-sandbox", "w").write("x")');
        expect(await isThere(path.join(places.outside, 'new'))).to.equal(false);
        expect(await isThere('/tmp/toolkit-sandbox')).to.equal(false);
      });

      it('does not read a secret that came after the last call', async () => {
        await project.run(kind, 'print(1)');
        await writeFile(inRoot('late.env'), '');
        await writeFile(inRoot('.env.production'), 'SWORDFISH=1');
        try {
          expect((await project.run(kind, 'attempt(lambda: open(".env.production").read())')).text).to.equal('REFUSED EACCES');
        } finally {
          await rm(inRoot('.env.production'));
        }
      });

      it('writes to files of the root, and to folders for temporary files', async () => {
        const { text, note } = await project.run(
          kind,
          'open("made.txt", "w").write("made"); os.mkdir("made"); os.rename("made.txt", "made/it.txt"); import tempfile; tempfile.mkdtemp(); print(open("data.txt").read())',
        );
        expect({ text, note }).to.deep.equal({ text: 'data', note: '' });
        expect(await readFile(inRoot('made', 'it.txt'), 'utf8')).to.equal('made');
        await rm(inRoot('made'), { recursive: true });
      });

      it('is not started where not all secrets can be found', async () => {
        const toolkit = await project.toolkit({ roots: [project.places.root], maxEntries: 3 });
        const error = await rejection(project.runWith(toolkit, kind, 'open("ran", "w")'), 'EXECUTION_FAILED');
        expect(error.message).to.include('maxEntries');
        expect(await isThere(inRoot('ran'))).to.equal(false);
      });

      it('is not started where there is no bubblewrap', async () => {
        const toolkit = await project.toolkit({ roots: [project.places.root], program: 'bwrap-that-is-not-there' });
        const error = await rejection(project.runWith(toolkit, kind, 'open("ran", "w")'), 'DEPENDENCY_MISSING');
        expect(error.message).to.include('apt-get install bubblewrap');
        expect(await isThere(inRoot('ran'))).to.equal(false);
      });
    });
  }

  describe('without it', () => {
    for (const { way, script } of waysOut.filter(({ succeedsPlain }) => succeedsPlain)) {
      it(`a program can ${way}`, async () => {
        expect((await project.runPlain(`${helpers}\n${script}`)).text).to.match(/^DONE/);
      });
    }
  });

  describe('ends', () => {
    const daemon = (seconds: string): string =>
      `import subprocess; subprocess.Popen(["sleep", "${seconds}"], start_new_session=True, stdin=-3, stdout=-3, stderr=-3, env={"PATH": os.environ["PATH"]})`;

    for (const [index, kind] of (['a command tool', 'system_execute'] as const).entries()) {
      it(`what ${kind} left running, in a session of its own and without its environment`, async () => {
        const seconds = `8639${index}.${process.pid}`;
        await project.run(kind, daemon(seconds));
        expect(await processesWith(seconds)).to.deep.equal([]);
      });
    }

    it('what is over its time limit, with all that it started', async () => {
      const seconds = `8637.${process.pid}`;
      const sleeping = `sleep ${seconds} & setsid sleep ${seconds} & wait`;
      const call = project.call('system_execute', { command: 'sh', arguments: ['-c', sleeping], timeout_ms: 1000 });
      await rejection(call, 'TIMEOUT');
      await until(async () => (await processesWith(seconds)).length === 0);
    });

    it('with the service, however that ends', async () => {
      const seconds = `8638.${process.pid}`;
      const root = await temporaryFolder();
      const { program, args, instructions = '' } = await launchIn(root, `setsid sleep ${seconds}`);
      const parent = spawn('sh', ['-c', '"$@" & wait', 'sh', program, ...args], {
        stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
      });
      giveInstructions(parent.stdio[4] as never, instructions);
      await until(async () => (await processesWith(seconds)).some((pid) => pid !== parent.pid));
      parent.kill('SIGKILL');
      await until(async () => (await processesWith(seconds)).length === 0);
    });

    it('which goes on without the sandbox', async () => {
      const seconds = `86399.${process.pid}`;
      await project.runPlain(daemon(seconds));
      const left = await processesWith(seconds);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      expect(left).to.have.length(1);
    });
  });

  describe('opens what a definition says', () => {
    const connect = 'attempt(lambda: socket.create_connection(("127.0.0.1", LOOPBACK_PORT)) and 1)';

    it('the network, to a command tool', async () => {
      expect((await project.runTool('probe_network', connect)).text).to.equal('DONE 1');
      expect((await project.runTool('probe_network', 'attempt(lambda: open(".env").read())')).text).to.equal('REFUSED EACCES');
    });

    it('the network, to a Python tool, in another process than that of its neighbour', async () => {
      expect((await project.runTool('probe_python', connect)).text).to.match(/^REFUSED/);
      expect((await project.runTool('probe_python_network', connect)).text).to.equal('DONE 1');
      expect((await project.runTool('probe_python', connect)).text).to.match(/^REFUSED/);
    });

    it('the network, to a tool that the operator names', async () => {
      const toolkit = await project.toolkit({ roots: [project.places.root], tools: { system_execute: { network: true } } });
      expect((await project.runWith(toolkit, 'system_execute', connect)).text).to.equal('DONE 1');
    });

    const run = (...args: string[]): string => `
import subprocess
run = subprocess.run(${JSON.stringify(args)}, capture_output=True, text=True)
sys.stderr.write(run.stderr + run.stdout)
sys.exit(run.returncode)`;

    it('.git, and names the key where it does not', async () => {
      const commit = run('git', 'commit', '--quiet', '--allow-empty', '-m', 'made in a sandbox');
      const error = await rejection(project.runTool('probe_command', commit), 'EXECUTION_FAILED');
      expect(error.message).to.include('Read-only file system').and.to.include('"writes: [git]"');
      await project.runTool('probe_git', commit);
      const log = execFileSync('git', ['-C', project.places.root, 'log', '-1', '--format=%s'], { encoding: 'utf8' });
      expect(log.trim()).to.equal('made in a sandbox');
      const hook = await project.runTool('probe_git', 'attempt(lambda: open(".git/hooks/pre-commit", "w"))');
      expect(hook.text).to.equal('REFUSED EROFS');
    });

    it('folders of packages, and names the key where it does not', async () => {
      await writeFiles(project.places.root, {
        'package.json': '{"name": "a", "version": "1.0.0"}',
        'vendored/package.json': '{"name": "vendored", "version": "1.0.0"}',
      });
      const install = run('npm', 'install', './vendored', '--no-audit', '--no-fund', '--offline');
      const error = await rejection(project.runTool('probe_command', install), 'EXECUTION_FAILED');
      expect(error.message).to.include('"writes: [packages]"');
      await project.runTool('probe_packages', install);
      expect(await isThere(inRoot('node_modules', 'vendored', 'package.json'))).to.equal(true);
    });
  });

  it('runs what a newcomer has', async () => {
    for (const program of ['python3', 'node', 'git', 'npm']) {
      const { output } = await project.call('system_execute', { command: program, arguments: ['--version'] });
      expect(output, program).to.have.property('exit_code', 0);
    }
  });

  it('says that a program is not shown, and which option shows it', async () => {
    const hidden = path.join(project.places.outside, 'elsewhere');
    await writeFiles(hidden, { tool: '#!/bin/sh\necho ran\n' });
    await chmod(path.join(hidden, 'tool'), 0o755);
    const command = path.join(hidden, 'tool');
    const error = await rejection(project.call('system_execute', { command }), 'DEPENDENCY_MISSING');
    expect(error.message).to.include('"readable"');
    const toolkit = await project.toolkit({ roots: [project.places.root], readable: [hidden] });
    expect(await toolkit.execute('system_execute', { command })).to.have.property('stdout', 'ran\n');
  });

  it('lets the tools of git work', async () => {
    await writeFiles(project.places.root, { 'tracked.txt': 'one' });
    const repository = project.places.root;
    await project.call('git_add', { repository, paths: ['tracked.txt'] });
    await project.call('git_commit', { repository, message: 'by a tool' });
    const { output } = await project.call('git_log', { repository });
    expect(JSON.stringify(output)).to.include('by a tool');
  });

  it('hides what the operator names, and shows what is for reading only', async () => {
    await writeFiles(project.places.root, { 'private/plan.txt': 'x', 'vendor/lib.txt': 'x' });
    const toolkit = await project.toolkit({ roots: [project.places.root], hidden: ['private'], readable: ['vendor'] });
    const script =
      'attempt(lambda: os.listdir("private")); attempt(lambda: open("vendor/lib.txt", "w")); print(open("vendor/lib.txt").read())';
    const { text } = await project.runWith(toolkit, 'a command tool', script);
    expect(text.split('\n')).to.deep.equal(['REFUSED EACCES', 'REFUSED EROFS', 'x']);
  });

  it('is made by an account without rights as well', async () => {
    // Any other account has none: then all tests here have shown it.
    if (process.getuid?.() !== 0) return;
    // Not in the folder for temporary files, which other accounts may not be let into.
    const root = await mkdtemp('/tmp/toolkit-sandbox-');
    await writeFiles(root, { '.env': 'SWORDFISH=1', 'data.txt': 'data' });
    const account = 65_534;
    for (const place of [root, path.join(root, '.env'), path.join(root, 'data.txt')]) await chown(place, account, account);
    const launched = await launchIn(root, 'cat data.txt; cat .env; echo x > made; unshare -U true; id -u');
    const { stdout, stderr } = await spawnAs(account, launched);
    expect(stdout).to.equal(`data${account}\n`);
    expect(stderr)
      .to.match(/\.env: Permission denied/)
      .and.to.match(/unshare failed/);
    expect(await readdir(root)).to.include('made');
    await rm(root, { recursive: true });
  });

  it('tells a command and a Python function their place in the trace', async () => {
    const execution = { type: 'command', command: 'sh', args: ['-c', 'printf %s "$TRACEPARENT"'] };
    const tool = (name: string, code: object): string =>
      JSON.stringify({ name, description: 'Tells it.', parameters: {}, execution: code });
    const cwd = await temporaryFolder({
      'tools/tell.yaml': tool('tell', execution),
      'tools/tell_python.yaml': tool('tell_python', { type: 'function', code: './tell.py' }),
      'tools/tell.py': 'def run(parameters, context):\n    return context.traceparent\n',
    });
    const plugins = [
      ...standard({ toolPaths: ['tools'], includeCore: false, autoDiscover: false, roots: [cwd], sandbox: true }),
      telemetry({ metrics: false }),
    ];
    const kernel = await bareKernel({ cwd, plugins });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    for (const name of ['tell', 'tell_python'])
      expect((await kernel.call({ tool: name, trace: { traceparent } })).output, name).to.equal(traceparent);
  });

  it('gives bubblewrap itself nothing of the environment of a program', async () => {
    const root = await temporaryFolder();
    const { env, args, instructions } = await launchIn(root, 'true', { LD_PRELOAD: '/evil.so' });
    expect(env).to.deep.equal({});
    expect(args.join(' ')).not.to.include('evil');
    expect(instructions).to.include('\0--setenv\0LD_PRELOAD\0/evil.so\0');
  });
});

async function launchIn(root: string, script: string, env: Readonly<Record<string, string>> = {}) {
  const bubblewrap = await findBubblewrap();
  const system = await systemMounts({ PATH: '/usr/bin:/bin' }, ['/nonexistent']);
  const places = { roots: [root], readable: [], hidden: [], system, home: '/nonexistent' };
  const sandbox = new Sandbox({ maxEntries: 100, tools: {}, folders: async () => places, bubblewrap: async () => bubblewrap });
  const controlFiles = new ControlFiles([{ pattern: '.env', what: 'secrets', read: false, plugin: 'test' }]);
  const tool = { name: 'probe', origin: { plugin: 'test', trust: 'operator' } } as never;
  const start = { program: 'sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin', ...env }, cwd: root };
  return sandbox.launch(start, { tool, controlFiles, network: false, writes: [], reads: [] });
}

/** Processes of this machine that have a text among their arguments. */
async function processesWith(text: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(text) ? [Number(pid)] : [])),
  );
  return found.flat();
}
