import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { HostKeys } from '../../../../plugins/shared/keys/host-keys.ts';
import { compiled } from '../../../support/compiled.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const [keyA, keyB] = ['a key of thirty-two bytes or more', 'b key of thirty-two bytes or more'] as const;
const payload = { caller: 'ada' };
const minute = 60_000;

/** The keys of a process that is started with this environment. */
function hostWith(env: Readonly<Record<string, string | undefined>>, now?: () => number) {
  const warnings: string[] = [];
  const masked: Record<string, string> = {};
  const keys = new HostKeys({
    env,
    logger: { warn: (message) => void warnings.push(message) },
    maskAlso: (name, value) => {
      masked[name] = value;
    },
    ...(now === undefined ? {} : { now }),
  });
  return { keys, warnings, masked };
}

const opens = (host: ReturnType<typeof hostWith>, text: string, purpose = 'session') =>
  typeof host.keys.seal(purpose).verify(text) === 'object';

async function stateIn(): Promise<{ env: { XDG_STATE_HOME: string }; folder: string; file: string }> {
  const state = await temporaryFolder();
  const folder = path.join(state, 'toolkit', 'keys');
  return { env: { XDG_STATE_HOME: state }, folder, file: path.join(folder, 'key') };
}

/** That folder with a key file of this text and mode. */
async function stateWith(text: string, mode = 0o600) {
  const state = await stateIn();
  await mkdir(state.folder, { recursive: true, mode: 0o700 });
  await writeFile(state.file, text, { mode });
  await chmod(state.file, mode);
  return state;
}

describe('the keys of a host', () => {
  it('sign what counts once for the place where that is remembered, and for no other', async () => {
    const [one, two] = [await stateIn(), await stateIn()];
    const sealIn = ({ env }: Awaited<ReturnType<typeof stateIn>>) => {
      const { keys } = hostWith({ ...env, TOOLKIT_KEY: keyA });
      return keys.seal('state', keys.usedTokens('states'));
    };
    const text = sealIn(one).sign(payload, minute);
    expect(sealIn(one).verify(text)).to.have.deep.property('payload', payload);
    expect([sealIn(two).verify(text), hostWith({ TOOLKIT_KEY: keyA }).keys.seal('state').verify(text)]).to.deep.equal([
      'foreign',
      'foreign',
    ]);
  });

  it('read and write nothing until they are used', async () => {
    const { env, folder } = await stateIn();
    const { keys } = hostWith(env);
    const [seal, spent] = [keys.seal('session'), keys.usedTokens('session')];
    expect(existsSync(path.dirname(folder))).to.equal(false);
    seal.sign(payload, minute);
    expect(await readdir(folder)).to.deep.equal(['key']);
    spent.consume('aa', 1, 0);
    expect(await readdir(folder)).to.have.members(['key', 'used']);
  });

  it('make a file that this account alone can read, in a folder that it alone can enter', async () => {
    const { env, folder, file } = await stateIn();
    hostWith(env).keys.load();
    const modes = await Promise.all([folder, file].map(async (place) => ((await stat(place)).mode & 0o777).toString(8)));
    expect(modes).to.deep.equal(['700', '600']);
    expect((await readFile(file, 'utf8')).trim()).to.match(/^[A-Za-z0-9_-]{43}$/);
  });

  it('are the same after a restart, and others for another account', async () => {
    const [{ env }, other] = [await stateIn(), await stateIn()];
    const text = hostWith(env).keys.seal('session').sign(payload, minute);
    expect([opens(hostWith(env), text), opens(hostWith(other.env), text)]).to.deep.equal([true, false]);
  });

  it('are others for each purpose', async () => {
    const { env } = await stateIn();
    const text = hostWith(env).keys.seal('session').sign(payload, minute);
    expect(opens(hostWith(env), text, 'request state')).to.equal(false);
  });

  it('are one key when many processes start at once', async () => {
    const { env, folder } = await stateIn();
    const program = `
      import { HostKeys } from ${JSON.stringify(path.resolve('plugins/shared/keys/host-keys.ts'))};
      const keys = new HostKeys({ logger: { warn() {} }, maskAlso() {} });
      console.log(keys.seal('session').sign({}, 60_000));
    `;
    const file = await compiled(path.join(await temporaryFolder({ 'program.ts': program }), 'program.ts'));
    const start = () => promisify(execFile)(process.execPath, [file], { env: { ...process.env, ...env } });
    const texts = (await Promise.all([start(), start(), start(), start()])).map(({ stdout }) => stdout.trim());
    expect(texts.map((text) => opens(hostWith(env), text))).to.deep.equal([true, true, true, true]);
    expect(await readdir(folder)).to.deep.equal(['key']);
  });

  it('come from TOOLKIT_KEY, for which no file is made', async () => {
    const { env, folder } = await stateIn();
    const text = hostWith({ ...env, TOOLKIT_KEY: keyA })
      .keys.seal('session')
      .sign(payload, minute);
    expect(existsSync(folder)).to.equal(false);
    expect(opens(hostWith({ XDG_STATE_HOME: '/nowhere', TOOLKIT_KEY: ` ${keyA}\n` }), text)).to.equal(true);
    expect(opens(hostWith({ ...env, TOOLKIT_KEY: keyB }), text)).to.equal(false);
  });

  const rotations: readonly { from: string; to: string; before: object; after: object; file?: string; isTaken: boolean }[] = [
    {
      from: 'a variable',
      to: 'another one, with the old one as the previous',
      before: { TOOLKIT_KEY: keyA },
      after: { TOOLKIT_KEY: keyB, TOOLKIT_KEY_PREVIOUS: keyA },
      isTaken: true,
    },
    { from: 'a variable', to: 'another one alone', before: { TOOLKIT_KEY: keyA }, after: { TOOLKIT_KEY: keyB }, isTaken: false },
    {
      from: 'a variable',
      to: 'the file, with the old one as the previous',
      before: { TOOLKIT_KEY: keyA },
      after: { TOOLKIT_KEY_PREVIOUS: keyA },
      isTaken: true,
    },
    {
      from: 'a variable',
      to: 'a file whose second line it is',
      before: { TOOLKIT_KEY: keyA },
      after: {},
      file: `${keyB}\n${keyA}\n`,
      isTaken: true,
    },
    { from: 'a variable', to: 'a file without it', before: { TOOLKIT_KEY: keyA }, after: {}, file: `${keyB}\n`, isTaken: false },
  ];
  for (const { from, to, before, after, file, isTaken } of rotations) {
    it(`${isTaken ? 'still take' : 'no longer take'} what was signed when ${from} gave way to ${to}`, async () => {
      const { env } = await (file === undefined ? stateIn() : stateWith(file));
      const old = hostWith({ ...env, ...before })
        .keys.seal('session')
        .sign(payload, minute);
      const rotated = hostWith({ ...env, ...after });
      expect(opens(rotated, old)).to.equal(isTaken);
      expect(opens(hostWith({ ...env, ...before }), rotated.keys.seal('session').sign(payload, minute))).to.equal(false);
    });
  }

  it('are masked, those of variables at once, those of the file when it is read', async () => {
    const { env } = await stateWith(`${keyB}\n${keyA}\n`);
    const given = hostWith({ TOOLKIT_KEY: keyA, TOOLKIT_KEY_PREVIOUS: keyB });
    expect(given.masked).to.deep.equal({ TOOLKIT_KEY: keyA, TOOLKIT_KEY_PREVIOUS: keyB });
    const read = hostWith(env);
    expect(read.masked).to.deep.equal({});
    read.keys.load();
    expect(read.masked).to.deep.equal({ TOOLKIT_KEY: keyB, TOOLKIT_KEY_PREVIOUS: keyA });
  });

  for (const name of ['TOOLKIT_KEY', 'TOOLKIT_KEY_PREVIOUS']) {
    it(`are refused at the start for a ${name} that could be guessed, which is not quoted`, () => {
      expect(() => hostWith({ [name]: 'hunter2-hunter2-hunter2-hunter2' }))
        .to.throw(`${name} is too short: expected at least 32 bytes of random text, received 31`)
        .with.property('message')
        .that.does.not.include('hunter2');
    });
  }

  const refused: readonly { what: string; text?: string; mode?: number; change?: (file: string) => Promise<unknown>; says: string }[] = [
    { what: 'that others can read', mode: 0o644, says: 'others may read or write it (mode 644)' },
    { what: 'that a group can write', mode: 0o620, says: 'others may read or write it (mode 620)' },
    {
      what: 'in a folder that others can enter',
      change: (file) => chmod(path.dirname(file), 0o755),
      says: 'others may read or write it (mode 755)',
    },
    { what: 'that is a link', change: (file) => linkAt(file), says: 'it is a symbolic link' },
    { what: 'that is a folder', change: (file) => rm(file).then(() => mkdir(file, { mode: 0o700 })), says: 'it is no file with a key' },
    { what: 'that is empty', text: '\n', says: 'expected one line with the key' },
    { what: 'with three keys', text: `${keyA}\n${keyB}\n${keyA}\n`, says: 'at most one more' },
    { what: 'with a short key', text: 'hunter2\n', says: 'is too short: expected at least 32 bytes' },
    { what: 'with a short previous key', text: `${keyA}\nhunter2\n`, says: 'is too short: expected at least 32 bytes' },
    { what: 'that is large', text: 'a'.repeat(70_000), says: 'it is no file with a key' },
  ];
  for (const { what, text = keyA, mode, change = async () => {}, says } of refused) {
    it(`are not taken from a file ${what}`, async () => {
      const { env, file } = await stateWith(text, mode);
      await change(file);
      const { keys, warnings } = hostWith(env);
      const error = await rejection(
        Promise.resolve().then(() => keys.load()),
        'CONFIG_INVALID',
      );
      expect(error.message).to.include(says).and.not.include('hunter2').and.not.include(keyA);
      expect(warnings).to.deep.equal([]);
    });
  }

  it('are of this process alone where no folder can be made, with a warning that says what that means', async () => {
    const state = path.join(await temporaryFolder({ file: '' }), 'file');
    const { keys, warnings } = hostWith({ XDG_STATE_HOME: state });
    const text = keys.seal('session').sign(payload, minute);
    expect(keys.seal('session').verify(text)).to.have.property('payload');
    expect(opens(hostWith({ XDG_STATE_HOME: state }), text)).to.equal(false);
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include('does not survive a restart').and.include('Set TOOLKIT_KEY');
    expect([keys.usedTokens('session').consume('aa', 10, 0), warnings.length]).to.deep.equal([undefined, 1]);
  });
});

describe('what was used once with the keys of a host', () => {
  it('stays used after a restart, with another key as well, and for its purpose alone', async () => {
    const { env } = await stateIn();
    expect(hostWith(env).keys.usedTokens('session').consume('aa', 10, 0)).to.equal(undefined);
    const later = hostWith({ ...env, TOOLKIT_KEY: keyB });
    expect([later.keys.usedTokens('session').has('aa', 10), later.keys.usedTokens('session').consume('aa', 10, 0)]).to.deep.equal([
      true,
      'used',
    ]);
    expect(later.keys.usedTokens('other').consume('aa', 10, 0)).to.equal(undefined);
  });

  it('cannot be spent where a key of several processes has no folder to remember it', async () => {
    const state = path.join(await temporaryFolder({ file: '' }), 'file');
    const { keys, warnings } = hostWith({ XDG_STATE_HOME: state, TOOLKIT_KEY: keyA });
    const spent = keys.usedTokens('session');
    expect([spent.consume('aa', 10, 0), spent.has('aa', 10), warnings.length]).to.deep.equal(['unwritable', false, 1]);
  });
});

async function linkAt(file: string): Promise<void> {
  const target = `${file}.real`;
  await writeFile(target, keyA, { mode: 0o600 });
  await rm(file);
  await symlink(target, file);
}
