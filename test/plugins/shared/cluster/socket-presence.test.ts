import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SocketPresence } from '../../../../plugins/shared/cluster/socket-presence.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';

describe('the presence of the processes of one machine', () => {
  let file: string;
  const open: SocketPresence[] = [];
  beforeEach(async () => {
    file = path.join(await temporaryFolder({ 'state.db': '' }), 'state.db');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((presence) => presence.close()));
  });
  const presence = (): SocketPresence => {
    const opened = new SocketPresence(file);
    open.push(opened);
    return opened;
  };
  /** A process of its own that listens as one of the service does. */
  const otherProcess = async (id: string) => {
    mkdirSync(`${file}-processes`, { mode: 0o700, recursive: true });
    const script = `require('net').createServer((s) => s.destroy()).listen(${JSON.stringify(path.join(`${file}-processes`, id))}, () => console.log('listening'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  };

  it('takes a process for dead that was killed, and removes its socket', async () => {
    const child = await otherProcess('a');
    expect(await presence().isDead('a')).to.equal(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(path.join(`${file}-processes`, 'a'))).to.equal(true);
    expect(await presence().isDead('a')).to.equal(true);
    expect(existsSync(path.join(`${file}-processes`, 'a'))).to.equal(false);
  });

  it('connects once for questions at the same time, and again for a later one', async () => {
    mkdirSync(`${file}-processes`, { mode: 0o700, recursive: true });
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(path.join(`${file}-processes`, 'a'), resolve));
    try {
      const asking = presence();
      const answers = await Promise.all(Array.from({ length: 100 }, () => asking.isDead('a')));
      expect(answers).to.not.include(true);
      await asking.isDead('a');
      // The server learns of a connection later than its client.
      await until(() => connections >= 2 || undefined);
      expect(connections).to.equal(2);
    } finally {
      server.close();
    }
  });

  it('takes a process that stands still for alive', async () => {
    const child = await otherProcess('a');
    child.kill('SIGSTOP');
    try {
      // More than its queue of connections holds.
      const answers = await Promise.all(Array.from({ length: 600 }, () => presence().isDead('a')));
      expect(answers).to.not.include(true);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('says of a process that stands still that it does, and of no other', async () => {
    const [child, stopped] = [await otherProcess('a'), await otherProcess('b')];
    stopped.kill('SIGSTOP');
    try {
      expect(await Promise.all(['a', 'b', 'never'].map((id) => presence().isStalled(id)))).to.deep.equal([false, true, false]);
    } finally {
      for (const one of [child, stopped]) {
        one.kill('SIGKILL');
        await once(one, 'exit');
      }
    }
  });

  it('takes a process that has ended in order, or never was, for dead', async () => {
    const one = new SocketPresence(file);
    await one.announce('a');
    expect(await presence().isDead('a')).to.equal(false);
    await one.close();
    expect(await presence().isDead('a')).to.equal(true);
    expect(await presence().isDead('never')).to.equal(true);
  });

  it('makes a folder for this account alone', async () => {
    await presence().announce('a');
    expect(statSync(`${file}-processes`).mode & 0o777).to.equal(0o700);
  });

  const foreignFolders: Record<string, (folder: string) => void> = {
    'that others can open': (folder) => {
      mkdirSync(folder);
      chmodSync(folder, 0o755);
    },
    'that is a link': (folder) => {
      mkdirSync(`${folder}-other`, { mode: 0o700 });
      symlinkSync(`${folder}-other`, folder);
    },
  };
  // Only the administrator can give a folder away.
  if (process.getuid?.() === 0)
    foreignFolders['of another account'] = (folder) => {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, 65534, 65534);
    };
  for (const [title, prepare] of Object.entries(foreignFolders))
    it(`refuses a folder ${title}`, async () => {
      prepare(`${file}-processes`);
      expect((await rejection(presence().announce('a'), 'PLUGIN_INVALID')).message).to.include('0700');
    });

  it('refuses a path that is too long for a socket, and says how long it may be', async () => {
    file = path.join(path.dirname(file), 'x'.repeat(100), 'state.db');
    await writeFiles(path.dirname(file), { 'state.db': '' });
    expect((await rejection(presence().announce('0123456789abcdef'), 'PLUGIN_INVALID')).message).to.include('at most 85 bytes');
  });

  it('keeps its socket alone in the folder, and none when it has ended', async () => {
    const one = presence();
    await one.announce('a');
    expect(readdirSync(`${file}-processes`)).to.deep.equal(['a']);
    await one.close();
    expect(readdirSync(`${file}-processes`)).to.deep.equal([]);
  });

  it('removes the sockets of killed processes when another one begins, and no other', async () => {
    const [killed, stopped] = [await otherProcess('killed'), await otherProcess('stopped')];
    try {
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      stopped.kill('SIGSTOP');
      await presence().announce('a');
      expect(readdirSync(`${file}-processes`).sort()).to.deep.equal(['a', 'stopped']);
    } finally {
      stopped.kill('SIGKILL');
      await once(stopped, 'exit');
    }
  });

  it('is known by a link to the file too', async () => {
    await presence().announce('a');
    const link = path.join(await temporaryFolder(), 'link.db');
    symlinkSync(file, link);
    file = link;
    expect(await presence().isDead('a')).to.equal(false);
  });

  it('makes its socket again that another program has removed', async () => {
    const one = presence();
    await one.announce('a');
    rmSync(`${file}-processes`, { recursive: true });
    await one.announce('a');
    expect(await presence().isDead('a')).to.equal(false);
  });

  it('is not known in a copy of the folder, whose calls are those of dead processes', async () => {
    await presence().announce('a');
    const copy = path.join(await temporaryFolder(), 'copy');
    // With its sockets.
    await promisify(execFile)('cp', ['-a', path.dirname(file), copy]);
    file = path.join(copy, path.basename(file));
    expect(await presence().isDead('a')).to.equal(true);
  });
});
