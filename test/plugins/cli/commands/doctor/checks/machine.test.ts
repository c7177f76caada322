import { chmod, utimes } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { checkClock } from '../../../../../../plugins/cli/commands/doctor/checks/check-clock.ts';
import { checkEnvironment } from '../../../../../../plugins/cli/commands/doctor/checks/check-environment.ts';
import { checkProcesses } from '../../../../../../plugins/cli/commands/doctor/checks/check-processes.ts';
import { checkTimeZones } from '../../../../../../plugins/cli/commands/doctor/checks/check-time-zones.ts';
import { confinePaths } from '../../../../../../plugins/confine-paths/index.ts';
import { checkPort } from '../../../../../../plugins/mcp/check-port.ts';
import { secretsDotenv } from '../../../../../../plugins/secrets-dotenv/index.ts';
import { posixWord } from '../../../../../../plugins/shared/text/shell-word.ts';
import { runChecks } from '../../../../../support/checks.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';

describe('the clock', () => {
  it('is wrong when it shows a time before a file of the program was written', async () => {
    const folder = await temporaryFolder({ program: '', old: '' });
    const written = Date.UTC(2026, 5, 1, 12) / 1000;
    await utimes(path.join(folder, 'program'), written, written);
    await utimes(path.join(folder, 'old'), 0, 0);
    const files = [path.join(folder, 'old'), path.join(folder, 'program'), path.join(folder, 'gone')];
    const before = await checkClock(Date.UTC(2020, 0, 1), files);
    expect(before.state).to.equal('problem');
    expect(before.message).to.match(/^shows 2020-01-01 00:00 UTC, time zone .+, but .*\/program was written on 2026-06-01 12:00$/);
    expect((await checkClock(Date.UTC(2026, 5, 1), files)).state).to.equal('ok');
    expect((await checkClock(Date.UTC(2027, 0, 1), files)).state).to.equal('ok');
  });
});

describe('the time zones', () => {
  it('are older in this Node than those that are installed, with both versions', () => {
    const { state, message } = checkTimeZones('2020a');
    expect(state).to.equal('ok');
    expect(message).to.match(/^tools and schedules follow the IANA data 20\d\d[a-z]; those of this Node, 2020a, are older:/);
  });

  it('are those of this Node where these are as new', () => {
    expect(checkTimeZones('2999a')).to.deep.equal({ check: 'Time zones', state: 'ok', message: 'IANA data 2999a' });
  });
});

describe('child processes', () => {
  it('are started once, with their limits', async () => {
    expect(await checkProcesses()).to.include({ check: 'Processes', state: 'ok' });
  });

  it('are a warning where none can be started, with the reason', async () => {
    const { state, message, hint } = await checkProcesses(() => Promise.reject(new Error('spawn EAGAIN')));
    expect({ state, hasHint: hint !== undefined }).to.deep.equal({ state: 'warning', hasHint: true });
    expect(message).to.include('no child process can be started (spawn EAGAIN)').and.include('threads read foreign texts');
  });

  it('are a warning where this Node has no permission model', async () => {
    const started = { exitCode: 0, signal: undefined, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), truncated: false, durationMs: 1 };
    expect(await checkProcesses(async () => started, null)).to.include({ state: 'warning' });
  });
});

describe('the port of the server', () => {
  it('is free where this program could listen now', async () => {
    expect(await checkPort({ port: 0 })).to.deep.equal({ check: 'Port', state: 'ok', message: '127.0.0.1:0 is free' });
  });

  it('is a warning where it is in use, with the flag for another', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const inUse = await checkPort({ port });
    expect(inUse.state).to.equal('warning');
    expect(inUse.message).to.equal(`127.0.0.1:${port} is in use, perhaps by this very server`);
    expect(inUse.hint).to.include('--port');
    await new Promise((resolve) => taken.close(resolve));
  });

  it('is a warning where the machine has no such address', async () => {
    const finding = await checkPort({ host: '192.0.2.1', port: 0 });
    expect(finding.message).to.equal('this program cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL)');
  });
});

describe('the variables of the logger', () => {
  it('are told where their value has no meaning', () => {
    expect(checkEnvironment({})).to.deep.equal([]);
    expect(checkEnvironment({ TOOLKIT_LOG_LEVEL: 'WARN', TOOLKIT_LOG_FORMAT: '' })).to.deep.equal([]);
    const [level, format] = checkEnvironment({ TOOLKIT_LOG_LEVEL: 'warning', TOOLKIT_LOG_FORMAT: 'xml' });
    expect(level?.message).to.include('TOOLKIT_LOG_LEVEL is "warning"').and.include('silent, error, warn, info, debug');
    expect(format?.message).to.include('TOOLKIT_LOG_FORMAT is "xml"');
  });
});

describe('files', () => {
  it('are told where others can read secrets, and where a root is missing', async () => {
    const folder = await temporaryFolder({ '.env': 'A=1\n' });
    const plugins = [secretsDotenv(), confinePaths({ roots: ['.', 'gone'] })];
    await chmod(path.join(folder, '.env'), 0o644);
    const findings = await runChecks(plugins, { cwd: folder });
    expect(findings.map(({ check, state }) => `${check}: ${state}`)).to.deep.equal(['Env file: warning', 'Roots: warning']);
    expect(findings[0]?.hint).to.equal(`Close it: chmod 600 ${posixWord(`${folder}/.env`)}`);
    expect(findings[1]?.message).to.include(`${folder}/gone is not a folder`);
    await chmod(path.join(folder, '.env'), 0o600);
    expect(await runChecks([secretsDotenv()], { cwd: folder })).to.deep.equal([]);
  });

  it('are named in what to do so that a shell takes nothing in them for a command', async () => {
    const folder = await temporaryFolder({ "$(id) it's/.env": 'A=1\n' });
    await chmod(path.join(folder, "$(id) it's/.env"), 0o644);
    const [finding] = await runChecks([secretsDotenv()], { cwd: path.join(folder, "$(id) it's") });
    expect(finding?.hint).to.equal(`Close it: chmod 600 '${folder}/$(id) it'\\''s/.env'`);
  });
});
